import type { Browser, Page } from 'playwright-core';
import { sharedChromium } from './chromium.ts';
import { type House, type HouseAccount, type HouseOptions, openHouse } from './house.ts';
import { WebConsole } from './web-console.ts';
import { within } from './within.ts';

export interface Visitable extends AsyncDisposable {
  visit(path: string, place?: Place): Promise<Page>;
}

/** Where the reader is, and in which language and digits the browser writes. */
export interface Place {
  readonly timezoneId?: string;
  readonly locale?: string;
}

interface Parts {
  readonly house: House;
  readonly sender: HouseAccount;
  readonly operator: HouseAccount;
  readonly console: WebConsole;
  readonly browser: Browser;
}

/** A gateway, its console in a browser, and an account that sends to the gateway. */
export class ConsoleHouse implements Visitable {
  readonly house: House;
  readonly sender: HouseAccount;
  /** Whose console it is. */
  readonly operator: HouseAccount;
  readonly #console: WebConsole;
  readonly #browser: Browser;

  private constructor(parts: Parts) {
    this.house = parts.house;
    this.sender = parts.sender;
    this.operator = parts.operator;
    this.#console = parts.console;
    this.#browser = parts.browser;
  }

  /** `own` is a browser that the caller opened, and closes. */
  static async open(options: HouseOptions = {}, own?: Browser): Promise<ConsoleHouse> {
    await using built = new AsyncDisposableStack();
    const house = built.use(await openHouse(options));
    const operator = await house.account({ scopes: ['operator'], credit: 0 });
    const sender = await house.account();
    const console = built.use(await WebConsole.start({ url: house.product.url, token: operator.apiKey }));
    const browser = own ?? (await sharedChromium());
    built.move();
    return new ConsoleHouse({ house, sender, operator, console, browser });
  }

  /** A page of a browser that was never here, at an address of the console; it shows the live gateway. */
  visit(path: string, place: Place = {}): Promise<Page> {
    return visit(this.#browser, this.#console, path, place);
  }

  /** The console of another operator, of the same gateway. */
  consoleOf(operator: HouseAccount): Promise<Visitable> {
    return openConsole(this.house, operator);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#console[Symbol.asyncDispose]();
    await this.house[Symbol.asyncDispose]();
  }
}

/** An operator's console of a house. */
export async function openConsole(house: House, operator: HouseAccount): Promise<Visitable> {
  const console = await WebConsole.start({ url: house.product.url, token: operator.apiKey });
  const browser = await sharedChromium();
  return {
    visit: (path, place = {}) => visit(browser, console, path, place),
    [Symbol.asyncDispose]: () => console[Symbol.asyncDispose](),
  };
}

async function visit(browser: Browser, console: WebConsole, path: string, place: Place): Promise<Page> {
  const looks = { ...place, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
  const context = await within('a browser context is open', browser.newContext(looks));
  // The secret of this start becomes the cookie; a page that went there would go on by itself, at its own time.
  await context.request.get(await console.address());
  const page = await within('a page is open', context.newPage());
  await page.goto(`${console.origin}/#${path}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}
