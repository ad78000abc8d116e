import { z } from 'zod';
import type { ChannelName, Channels } from '../shared/channels.ts';
import { ID, text } from './input.ts';
import { PROFILE } from './profiles/profile-input.ts';

const MOST_QUERY = 20_000;
const MOST_CLIPBOARD = 4_000_000;

const NOTHING = z.unknown().transform(() => undefined);
const OPERATION = { query: text(MOST_QUERY), variables: z.record(z.string(), z.unknown()) };
const WITH_ID = z.strictObject({ id: ID });

/** What each channel takes: a page may send anything, whatever its types say. */
export const INPUTS: { readonly [Name in ChannelName]: z.ZodType<Channels[Name]['input']> } = {
  'app.info': NOTHING,
  'app.zoom': z.strictObject({ percent: z.int().min(50).max(200) }),
  'profiles.list': NOTHING,
  'profiles.save': PROFILE,
  'profiles.remove': WITH_ID,
  'profiles.select': WITH_ID,
  'graphql.execute': z.strictObject(OPERATION),
  'graphql.subscribe': z.strictObject({ id: ID, ...OPERATION }),
  'graphql.unsubscribe': WITH_ID,
  'connection.retry': NOTHING,
  'clipboard.write': z.strictObject({ text: text(MOST_CLIPBOARD) }),
  'external.open': z.strictObject({ url: z.string() }),
};
