export type Wanted = 'everything' | 'failures';

/** `ocr.completed` receives everything; a registration without it receives only failures. */
export function wantedOf(events: readonly string[]): Wanted {
  return events.includes('ocr.completed') ? 'everything' : 'failures';
}

export function eventsOf(wanted: Wanted): string[] {
  return wanted === 'everything' ? ['ocr.completed'] : ['ocr.failed'];
}

export function eventsText(events: readonly string[]): string {
  return wantedOf(events) === 'everything' ? 'every result' : 'failures only';
}
