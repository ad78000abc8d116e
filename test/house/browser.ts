import { Caller, type CallOptions, type Reply } from './caller.ts';
import type { Product } from './product.ts';

export interface LoginAnswer {
  account_id: string;
  session_token: string;
  expires_at: string;
}

/** A browser at the dashboard: keeps cookies, and says where its calls come from, as browsers do. */
export class Browser {
  readonly origin: string;
  readonly #caller: Caller;
  readonly #cookies = new Map<string, string>();

  constructor(product: Pick<Product, 'dashboardUrl'>) {
    this.origin = product.dashboardUrl;
    this.#caller = new Caller(product.dashboardUrl);
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Another browser with the same cookies. */
  take(cookie: string): this {
    for (const each of cookie.split('; ')) {
      const [name = '', value = ''] = each.split('=');
      this.#cookies.set(name, value);
    }
    return this;
  }

  login(email: string, password: string): Promise<Reply<LoginAnswer>> {
    return this.send<LoginAnswer>('POST', '/api/login', { email, password });
  }

  get<T>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
    return this.call<T>('GET', path, options);
  }

  /** A call of the dashboard's own pages, with a JSON body. */
  send<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<T>> {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.call<T>(method, path, {
      headers: { origin: this.origin, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** A GraphQL operation of the dashboard's own pages. */
  graphql<T>(query: string, variables: object = {}): Promise<Reply<T>> {
    return this.send<T>('POST', '/graphql', { query, variables });
  }

  /** A call as it is, with the cookies and nothing else. */
  async call<T>(method: string, path: string, options: CallOptions = {}): Promise<Reply<T>> {
    const headers = { ...(this.cookie !== '' && { cookie: this.cookie }), ...options.headers };
    const reply = await this.#caller.call<T>(method, path, { ...options, headers });
    this.#keep(reply.headers['set-cookie']);
    return reply;
  }

  #keep(header: string | undefined): void {
    for (const each of header?.split(/,(?=[\w-]+=)/) ?? []) {
      const [, name = '', value = ''] = /^([\w-]+)=([^;]*)/.exec(each) ?? [];
      if (value === '' || /Max-Age=0(;|$)/.test(each)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
