/** How an import fails, as Chromium, Firefox, Safari and Vite (of a style sheet) say it: there is no code for it. */
const IS_NOT_FETCHED = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Why a page cannot be shown, for people. */
export function brokenPageText({ message }: Error): string {
  if (!IS_NOT_FETCHED.test(message)) return message;
  return 'Its code could not be fetched. The service cannot be reached, or has been updated since you opened the dashboard: try again to reload it.';
}
