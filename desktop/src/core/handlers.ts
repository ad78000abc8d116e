import type { AppInfo, ChannelName, Channels, Emit, GraphqlResult } from '../shared/channels.ts';
import type { GatewayLink } from './gateway/gateway-link.ts';
import type { ProfileStore } from './profiles/profile-store.ts';
import { Refused } from './refused.ts';
import type { Shell } from './shell.ts';

export type Handlers = {
  readonly [Name in ChannelName]: (input: Channels[Name]['input']) => Promise<Channels[Name]['output']>;
};

/** What the channels act on. */
export interface ConsoleParts {
  readonly info: AppInfo;
  readonly shell: Shell;
  readonly profiles: ProfileStore;
  readonly link: GatewayLink;
  /** To be called after each change of the profiles: connects to the one that is selected now. */
  choose(): Promise<void>;
}

interface Page {
  /** What ends each of its subscriptions, by the page's own id. */
  readonly subscriptions: Map<string, () => void>;
  readonly emit: Emit;
}

const MOST_SUBSCRIPTIONS = 100;

/** What each channel does for one page. Its input has been parsed by `INPUTS`. */
export function handlers(core: ConsoleParts, page: Page): Handlers {
  const { profiles, link } = core;
  return {
    'app.info': async () => core.info,
    'app.zoom': async ({ percent }) => {
      core.shell.zoom?.(percent);
      return { applied: core.shell.zoom !== null };
    },
    'profiles.list': () => profiles.list(),
    'profiles.save': async (input) => {
      const profile = await profiles.save(input);
      await core.choose();
      return profile;
    },
    'profiles.remove': async ({ id }) => {
      await profiles.remove(id);
      await core.choose();
    },
    'profiles.select': async ({ id }) => {
      await profiles.select(id);
      await core.choose();
    },
    'graphql.execute': (operation) => link.execute(operation),
    'graphql.subscribe': async (input) => {
      subscribe(core, page, input);
    },
    'graphql.unsubscribe': async ({ id }) => {
      unsubscribe(page, id);
    },
    'connection.retry': async () => {
      link.retry();
    },
    'clipboard.write': async ({ text }) => {
      core.shell.writeClipboard(text);
    },
    'external.open': async ({ url }) => {
      await core.shell.openExternal(await allowed(core, url));
    },
  };
}

function subscribe({ link }: ConsoleParts, page: Page, input: Channels['graphql.subscribe']['input']): void {
  const { subscriptions, emit } = page;
  const { id, ...operation } = input;
  unsubscribe(page, id);
  if (subscriptions.size >= MOST_SUBSCRIPTIONS) {
    throw new Refused(`A page has at most ${MOST_SUBSCRIPTIONS} subscriptions.`);
  }
  const end = (result: GraphqlResult) => {
    subscriptions.delete(id);
    emit('graphql.event', { id, ...result, complete: true });
  };
  subscriptions.set(
    id,
    link.subscribe(operation, {
      next: ({ data, errors }) => emit('graphql.event', { id, data, ...(errors && { errors }) }),
      error: (errors) => end({ errors }),
      complete: () => end({}),
    }),
  );
}

function unsubscribe({ subscriptions }: Page, id: string): void {
  subscriptions.get(id)?.();
  subscriptions.delete(id);
}

/** Addresses of the gateways only: a page that was made to ask for another one gets nothing opened. */
async function allowed({ profiles }: ConsoleParts, url: string): Promise<string> {
  const wanted = URL.canParse(url) ? new URL(url) : null;
  const known = (await profiles.list()).profiles.map((profile) => new URL(profile.url).origin);
  const isWeb = wanted?.protocol === 'https:' || wanted?.protocol === 'http:';
  if (!wanted || !isWeb || wanted.username !== '' || !known.includes(wanted.origin)) {
    throw new Refused('Only pages of the gateways can be opened.');
  }
  return wanted.href;
}
