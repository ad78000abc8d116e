import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleCore, type Session } from '../../desktop/src/core/console-core.ts';
import { FileVault, UNSEALED } from '../../desktop/src/core/profiles/file-vault.ts';
import type { AlertNotice } from '../../desktop/src/shared/alerts.ts';
import type { ConnectionState, EventName, Events, GraphqlEvent } from '../../desktop/src/shared/channels.ts';
import type { Profile, ProfileInput } from '../../desktop/src/shared/profile.ts';

export interface Heard {
  readonly event: EventName;
  readonly payload: unknown;
}

/** The console's core as a shell has it, with one page that writes down what it hears. */
export class TestConsole implements AsyncDisposable {
  readonly core: ConsoleCore;
  readonly folder: string;
  readonly notices: readonly AlertNotice[];
  readonly heard: Heard[] = [];
  readonly page: Session;

  private constructor(parts: { core: ConsoleCore; folder: string; notices: AlertNotice[] }) {
    this.core = parts.core;
    this.folder = parts.folder;
    this.notices = parts.notices;
    this.page = parts.core.attach((event, payload) => this.heard.push({ event, payload }));
  }

  static async open(): Promise<TestConsole> {
    const folder = await mkdtemp(join(tmpdir(), 'ocr-router-console-'));
    const notices: AlertNotice[] = [];
    const core = await ConsoleCore.open({
      info: { version: '0.0.0-test', shell: 'web' },
      folder,
      vault: new FileVault(join(folder, 'tokens.json'), UNSEALED),
      fixedProfile: null,
      fetch,
      now: Date.now,
      openExternal: async () => {},
      writeClipboard: () => {},
      zoom: null,
      notify: (notice) => notices.push(notice),
    });
    return new TestConsole({ core, folder, notices });
  }

  get state(): ConnectionState['state'] {
    return this.core.link.state.state;
  }

  /** A profile with a key, shown. */
  async show(wish: Pick<ProfileInput, 'url' | 'token'> & Partial<ProfileInput>): Promise<Profile> {
    const profile = { name: 'Under test', colour: '#577cd2', readOnly: false, production: false, ...wish };
    const saved = await this.page.invoke('profiles.save', profile);
    await this.page.invoke('profiles.select', { id: saved.id });
    return saved;
  }

  all<Name extends EventName>(event: Name): Events[Name][] {
    return this.heard.filter((each) => each.event === event).map(({ payload }) => payload as Events[Name]); // by its name
  }

  /** What came for a subscription of the page. */
  events(id: string): GraphqlEvent[] {
    return this.all('graphql.event').filter((event) => event.id === id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.page[Symbol.dispose]();
    this.core[Symbol.dispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
