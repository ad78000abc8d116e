import { createServer } from 'node:http';

/**
 * The engines of a trial, in a process that neither side's load reaches: `<port>`. `/instant` answers at once, `/narrow` after
 * 50 ms, `/stuck` after 20 s, `/tiny` as EasyOCR does, with a confidence that no float of the database holds.
 */
const AFTER_MS = new Map([
  ['narrow', 50],
  ['stuck', 20_000],
]);
const COMPLETION = JSON.stringify({
  id: 'chatcmpl-1',
  model: 'scripted-1',
  choices: [{ message: { role: 'assistant', content: 'A line of text.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
});
const FRAGMENTS = JSON.stringify({ results: [{ text: 'A line of text.', confidence: 1e-47 }] });

createServer((request, response) => {
  request.resume();
  const engine = request.url?.split('/')[1];
  const reply = () =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(engine === 'tiny' ? FRAGMENTS : COMPLETION);
  const afterMs = AFTER_MS.get(engine ?? '');
  request.on('end', () => (afterMs === undefined ? reply() : setTimeout(reply, afterMs)));
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
