/** An element of a file that we wrote: attributes in double quotes, no comments, no CDATA. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

/** A small reader, independent of what writes: it knows tags, attributes and the five entities. Throws for what is not nested. */
export function parsedXml(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [] };
  const open = [top];
  let at = 0;
  for (const tag of xml.matchAll(/<(?:[?!][^>]*|(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?))>/g)) {
    const [all, closes, name, attributes = '', isEmpty] = tag;
    open.at(-1)?.children.push(unescaped(xml.slice(at, tag.index)));
    at = tag.index + all.length;
    if (!name) continue;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)];
    const element: Element = {
      name,
      attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unescaped(value)])),
      children: [],
    };
    open.at(-1)?.children.push(element);
    if (!isEmpty) open.push(element);
  }
  if (open.length !== 1 || /[<>]/.test(xml.slice(at))) throw new Error('not every element is closed');
  const root = childrenOf(top)[0];
  if (!root) throw new Error('no element');
  return root;
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(\w+|#\d+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? `?${name}?`),
  );
}

export function childrenOf({ children }: Element): Element[] {
  return children.filter((child) => typeof child !== 'string');
}

export function textOf({ children }: Element): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The element and all below it. */
export function allOf(element: Element): Element[] {
  return [element, ...childrenOf(element).flatMap(allOf)];
}
