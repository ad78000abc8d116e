import type { ChannelName, EventName } from './channels.ts';

/** The names at run time: what the preload lets through. `satisfies` fails the build when one is missing or unknown. */
const CHANNELS = {
  'app.info': true,
  'app.zoom': true,
  'profiles.list': true,
  'profiles.save': true,
  'profiles.remove': true,
  'profiles.select': true,
  'graphql.execute': true,
  'graphql.subscribe': true,
  'graphql.unsubscribe': true,
  'connection.retry': true,
  'clipboard.write': true,
  'external.open': true,
} satisfies Record<ChannelName, true>;

const EVENTS = {
  'bridge.back': true,
  'connection.state': true,
  'profiles.changed': true,
  'graphql.event': true,
  'alerts.fired': true,
  navigate: true,
} satisfies Record<EventName, true>;

export const CHANNEL_NAMES = Object.keys(CHANNELS) as ChannelName[]; // `satisfies` above says that they are these

export function isChannelName(name: unknown): name is ChannelName {
  return typeof name === 'string' && Object.hasOwn(CHANNELS, name);
}

export function isEventName(name: unknown): name is EventName {
  return typeof name === 'string' && Object.hasOwn(EVENTS, name);
}
