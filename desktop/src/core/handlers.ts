import type { AppInfo, ChannelName, Channels, Emit, GraphqlOperation, GraphqlResult } from '../shared/channels.ts';
import type { AlertDesk } from './alerts/alert-desk.ts';
import type { RuleBook } from './alerts/rule-book.ts';
import { quietHoursInput, ruleInput } from './alerts/rule-input.ts';
import { countOf, fieldsOf, nullableTextOf, textOf } from './fields.ts';
import type { GatewayLink } from './gateway/gateway-link.ts';
import type { ProfileBook } from './profiles/profile-book.ts';
import { profileInput } from './profiles/profile-input.ts';
import { Refused } from './refused.ts';
import type { Shell } from './shell.ts';

export type Handlers = { readonly [Name in ChannelName]: (input: unknown) => Promise<Channels[Name]['output']> };

/** What the channels act on. */
export interface ConsoleParts {
  readonly info: AppInfo;
  readonly shell: Shell;
  readonly profiles: ProfileBook;
  readonly rules: RuleBook;
  readonly link: GatewayLink;
  readonly alerts: AlertDesk;
  /** To be called after each change of the profiles: connects to the one that is selected now. */
  choose(): Promise<void>;
}

interface Page {
  /** What ends each of its subscriptions, by the page's own id. */
  readonly subscriptions: Map<string, () => void>;
  readonly emit: Emit;
}

const MOST_QUERY = 20_000;
const MOST_CLIPBOARD = 4_000_000;
const MOST_SUBSCRIPTIONS = 100;
const A_WEEK_MINUTES = 7 * 24 * 60;

/** What each channel does for one page. Inputs are looked at here, whatever the page's types say. */
export function handlers(core: ConsoleParts, page: Page): Handlers {
  const { profiles, link, alerts } = core;
  return {
    'app.info': async () => core.info,
    'app.zoom': async (input) => {
      const percent = countOf(fieldsOf(input, ['percent']), 'percent', { least: 50, most: 200 });
      core.shell.zoom?.(percent);
      return { applied: core.shell.zoom !== null };
    },
    'profiles.list': () => profiles.list(),
    'profiles.save': async (input) => {
      const profile = await profiles.save(profileInput(input));
      await core.choose();
      return profile;
    },
    'profiles.remove': async (input) => {
      const id = idOf(input);
      await profiles.remove(id);
      await core.rules.forget(id);
      await core.choose();
    },
    'profiles.select': async (input) => {
      await profiles.select(idOf(input));
      await core.choose();
    },
    'graphql.execute': async (input) => link.execute(operationOf(input, ['query', 'variables'])),
    'graphql.subscribe': async (input) => {
      subscribe(core, page, input);
    },
    'graphql.unsubscribe': async (input) => {
      unsubscribe(page, idOf(input));
    },
    'connection.retry': async () => {
      link.retry();
    },
    'clipboard.write': async (input) => {
      core.shell.writeClipboard(textOf(fieldsOf(input, ['text']), 'text', { most: MOST_CLIPBOARD }));
    },
    'external.open': async (input) => {
      const { url } = fieldsOf(input, ['url']);
      await core.shell.openExternal(await allowed(core, url));
    },
    'alerts.list': async () => alerts.list(),
    'alerts.save': async (input) => alerts.save(ruleInput(input)),
    'alerts.remove': async (input) => {
      await alerts.remove(idOf(input));
    },
    'alerts.mute': async (input) => {
      const fields = fieldsOf(input, ['id', 'minutes']);
      const minutes = countOf(fields, 'minutes', { least: 0, most: A_WEEK_MINUTES });
      return alerts.mute(nullableTextOf(fields, 'id', { most: 100 }), minutes);
    },
    'alerts.quiet': async (input) => alerts.keepQuiet(quietHoursInput(fieldsOf(input, ['hours'])['hours'])),
    'alerts.preview': async (input) => alerts.preview(ruleInput(input)),
  };
}

function subscribe({ link }: ConsoleParts, page: Page, input: unknown): void {
  const { subscriptions, emit } = page;
  const id = textOf(fieldsOf(input, ['id', 'query', 'variables']), 'id', { most: 100 });
  const operation = operationOf(input, ['id', 'query', 'variables']);
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

function operationOf(input: unknown, known: readonly string[]): GraphqlOperation {
  const fields = fieldsOf(input, known);
  const { variables } = fields;
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
    throw new Refused('"variables" must be an object.');
  }
  const query = textOf(fields, 'query', { most: MOST_QUERY });
  return { query, variables: variables as Record<string, unknown> }; // an object, by the lines above
}

function idOf(input: unknown): string {
  return textOf(fieldsOf(input, ['id']), 'id', { most: 100 });
}

/** Addresses of the gateways only: a page that was made to ask for another one gets nothing opened. */
async function allowed({ profiles }: ConsoleParts, url: unknown): Promise<string> {
  const wanted = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  const known = (await profiles.list()).profiles.map((profile) => new URL(profile.url).origin);
  const isWeb = wanted?.protocol === 'https:' || wanted?.protocol === 'http:';
  if (!wanted || !isWeb || wanted.username !== '' || !known.includes(wanted.origin)) {
    throw new Refused('Only pages of the gateways can be opened.');
  }
  return wanted.href;
}
