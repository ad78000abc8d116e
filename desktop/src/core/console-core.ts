import { join } from 'node:path';
import type { AppInfo, ChannelName, Channels, ConnectionName, Emit, Events } from '../shared/channels.ts';
import { AlertFollower } from './alerts/alert-follower.ts';
import { backOffMs } from './gateway/back-off.ts';
import { GatewayLink } from './gateway/gateway-link.ts';
import { type ConsoleParts, type Handlers, handlers } from './handlers.ts';
import { parsed } from './input.ts';
import { INPUTS } from './inputs.ts';
import { ProfileStore } from './profiles/profile-store.ts';
import type { Shell } from './shell.ts';

/** One page that is open. */
export interface Session extends Disposable {
  /** The input is looked at here; what comes out has no token in it. */
  invoke<Name extends ChannelName>(channel: Name, input: unknown): Promise<Channels[Name]['output']>;
}

/** The console without its window: profiles, the way to the gateway, alerts. Both shells are thin around it. */
export class ConsoleCore implements ConsoleParts, Disposable {
  readonly shell: Shell;
  readonly profiles: ProfileStore;
  readonly link: GatewayLink;
  readonly alerts: AlertFollower;
  readonly #pages = new Set<Emit>();
  #before: ConnectionName = 'offline';
  #hasEnded = false;

  private constructor(shell: Shell, profiles: ProfileStore) {
    this.shell = shell;
    this.profiles = profiles;
    this.link = new GatewayLink({
      fetch: shell.fetch,
      now: shell.now,
      backOffMs: (failures) => backOffMs(failures),
      onState: (state) => this.#told(state),
    });
    this.alerts = new AlertFollower({
      link: this.link,
      tell: (notice) => {
        this.tell('alerts.fired', notice);
        shell.notify(notice);
      },
    });
  }

  static async open(shell: Shell): Promise<ConsoleCore> {
    const { vault, fixedProfile: fixed, folder } = shell;
    const profiles = await ProfileStore.open({ path: join(folder, 'profiles.json'), vault, fixed });
    const core = new ConsoleCore(shell, profiles);
    await core.choose();
    return core;
  }

  get info(): AppInfo {
    return { ...this.shell.info, tokenStorage: this.shell.vault.storage };
  }

  /** A page opens: it gets every event until it is disposed of. */
  attach(emit: Emit): Session {
    const subscriptions = new Map<string, () => void>();
    const table: Handlers = handlers(this, { subscriptions, emit });
    this.#pages.add(emit);
    emit('connection.state', this.link.state);
    return {
      invoke: async (channel, input) => table[channel](parsed(INPUTS[channel], input)),
      [Symbol.dispose]: () => {
        this.#pages.delete(emit);
        for (const end of subscriptions.values()) end();
      },
    };
  }

  /** Tells every page. */
  tell: Emit = (event, payload) => {
    for (const emit of this.#pages) emit(event, payload);
  };

  /** Follows the profiles: connects to the one that is selected, and tells the pages. */
  async choose(): Promise<void> {
    const gateway = await this.profiles.selected();
    // A page's change may be written when everything has ended: a connection would keep the process for ever.
    if (this.#hasEnded) return;
    this.link.open(gateway);
    this.alerts.follow(gateway?.profile.id ?? null);
    this.tell('profiles.changed', undefined);
  }

  /** The machine woke up, or has another network. */
  wake(): void {
    this.link.retry();
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.alerts[Symbol.dispose]();
    this.link[Symbol.dispose]();
  }

  #told(state: Events['connection.state']): void {
    this.tell('connection.state', state);
    if (state.state === 'live' && this.#before !== 'live') this.alerts.resume();
    this.#before = state.state;
  }
}
