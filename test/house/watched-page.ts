import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriers } from './barriers.ts';
import { within } from './within.ts';

export interface PageWish {
  readonly scheme?: 'dark' | 'light';
  readonly size?: { readonly width: number; readonly height: number };
}

/** A page with all that it complained of and all that it asked for. */
export class WatchedPage implements AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts and of the policy, in the browser's words. */
  readonly complaints: string[] = [];
  /** Every origin that it asked something of. */
  readonly origins = new Set<string>();
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('request', (request) => this.origins.add(new URL(request.url()).origin));
    page.on('websocket', (socket) => this.origins.add(new URL(socket.url()).origin));
  }

  static async open(browser: Browser, { scheme = 'dark', size }: PageWish = {}): Promise<WatchedPage> {
    const viewport = size ?? { width: 1440, height: 900 };
    const looks = { viewport, colorScheme: scheme, reducedMotion: 'reduce' } as const;
    const context = await within('a browser context is open', browser.newContext(looks));
    return new WatchedPage(context, await within('a page is open', context.newPage()));
  }

  /** Findings of axe, serious ones and worse. */
  barriers(): Promise<string[]> {
    return barriers(this.page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await within('the browser context is closed', this.#context.close());
  }
}
