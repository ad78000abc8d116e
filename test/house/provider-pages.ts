/** Somebody without a browser at the provider's own pages: keeps cookies, follows redirects, fills in what is asked. */
export class ProviderPages {
  readonly #cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(issuer: string) {
    this.#origin = new URL(issuer).origin;
  }

  /** Signs in as `login`, agrees to what the client wants, and answers where the provider sends the browser then. */
  async pass(start: string, login: string): Promise<URL> {
    return this.#follow(new URL(start), (page) => ({
      path: between(page, 'action="', '"'),
      form: (page.includes('name="login"')
        ? { prompt: 'login', login, password: 'any' }
        : { prompt: 'consent' }) as Record<string, string>,
    }));
  }

  /** Presses "Cancel" instead. */
  async deny(start: string): Promise<URL> {
    return this.#follow(new URL(start), (page) => ({ path: between(page, 'login-help">\n        <a href="', '"') }));
  }

  async #follow(start: URL, answerTo: (page: string) => Step): Promise<URL> {
    let next: { url: URL; form?: Record<string, string> } = { url: start };
    for (let steps = 0; steps < 12; steps++) {
      if (next.url.origin !== this.#origin) return next.url;
      const reply = await this.#call(next.url, next.form);
      const location = reply.headers.get('location');
      const text = await reply.text();
      if (location !== null) {
        next = { url: new URL(location, next.url) };
        continue;
      }
      if (!reply.ok) throw new Error(`the provider answered ${reply.status}: ${text.slice(0, 2000)}`);
      const { path, form } = answerTo(text);
      next = { url: new URL(path, next.url), ...(form && { form }) };
    }
    throw new Error('the provider sends in circles');
  }

  async #call(url: URL, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { ...(cookie && { cookie }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const each of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }
}

interface Step {
  readonly path: string;
  readonly form?: Record<string, string> | undefined;
}

function between(text: string, before: string, after: string): string {
  const from = text.indexOf(before);
  if (from < 0) throw new Error(`the page has no ${before}: ${text.slice(0, 2000)}`);
  return text.slice(from + before.length, text.indexOf(after, from + before.length)).replaceAll('&amp;', '&');
}
