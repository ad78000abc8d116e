import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { House } from './house.ts';
import { within } from './within.ts';

interface VisitOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly widthPx?: number;
  /** Where the reader is, and in which language and digits the browser writes. */
  readonly timezoneId?: string;
  readonly locale?: string;
}

/** What the browser itself says of an answer that is no success; the pages say it better. */
const EXPECTED = /^Failed to load resource/;

/** Somebody at the dashboard, in a browser of their own; keeps what must never happen. */
export class Visit implements AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Violations of the policy, exceptions, and whatever else the pages complained of. */
  readonly complaints: string[] = [];
  readonly #dashboardUrl: string;

  private constructor(parts: { context: BrowserContext; page: Page; dashboardUrl: string }) {
    this.context = parts.context;
    this.page = parts.page;
    this.#dashboardUrl = parts.dashboardUrl;
    this.page.on('pageerror', (error) => this.complaints.push(`exception: ${error.message}`));
    this.page.on('dialog', (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !EXPECTED.test(text)) this.complaints.push(`console: ${text}`);
    });
  }

  static async begin(
    browser: Browser | null,
    house: House,
    { colorScheme = 'light', widthPx = 1280, ...place }: VisitOptions = {},
  ): Promise<Visit> {
    if (browser === null) throw new Error('there is no browser to visit with');
    const viewport = { width: widthPx, height: 900 };
    const looks = { ...place, colorScheme, viewport, reducedMotion: 'reduce' } as const;
    const context = await within('a browser context is open', browser.newContext(looks));
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      );
    });
    const page = await within('a page is open', context.newPage());
    return new Visit({ context, page, dashboardUrl: house.product.dashboardUrl });
  }

  url(path: string): string {
    return `${this.#dashboardUrl}${path}`;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.url(path));
  }

  /** Fills in the form that whoever is not signed in sees. */
  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Opens a page as somebody who is signed in. */
  async openAs(person: { email: string; password: string }, path: string): Promise<void> {
    await this.open(path);
    await this.signIn(person.email, person.password);
    const signedIn = this.page.getByRole('button', { name: 'Sign out', exact: true, includeHidden: true }); // on a narrow screen it is folded away
    await signedIn.waitFor({ state: 'attached' });
  }

  /** A GraphQL operation of the page that is open, with its cookie. */
  graphql<T>(query: string): Promise<{ data?: T; errors?: { extensions: { code: string } }[] }> {
    return this.page.evaluate(async (text) => {
      const body = JSON.stringify({ query: text });
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return response.json();
    }, query);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within('the browser context is closed', this.context.close());
  }
}
