import type { Redis } from 'ioredis';

/** How long Redis may be silent on a connection, in ms; also how often it is asked for a sign of life. */
const SILENCE_MS = 10_000;
/** How often it is asked within that time where a time-out for every command gives a question up. */
const TRIES = 10;

/**
 * Ends connections on which Redis is silent, with an `error` of the client, which then makes another one. ioredis limits neither
 * the time between a connection, after its TLS handshake, and the first answers on it, nor the wait for later ones where commands
 * have no time-out; and a command that has timed out leaves its connection as it is.
 */
export function endSilence(client: Redis, silenceMs = SILENCE_MS): void {
  let timer: NodeJS.Timeout | undefined;
  const after = (act: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(act, silenceMs).unref();
  };
  const end = () => {
    client.emit('error', new Error(`no answer within ${silenceMs} ms`));
    client.disconnect(true);
  };
  const ask = () => {
    after(end);
    ping(timer);
  };
  const answered = (question: NodeJS.Timeout | undefined) => {
    if (timer === question) after(ask);
  };
  /** Asks until the question of this timer is answered, or is none any more. */
  const ping = (question: NodeJS.Timeout | undefined) => {
    if (timer !== question) return;
    client.ping().then(
      () => answered(question),
      ({ name }: Error) => {
        // An error that Redis answers, as to a user who may not ping, is an answer.
        if (name === 'ReplyError') answered(question);
        else setTimeout(ping, silenceMs / TRIES, question).unref();
      },
    );
  };
  client.on('connect', () => after(end));
  client.on('ready', ask);
  client.on('close', () => {
    clearTimeout(timer);
    timer = undefined;
  });
}
