import { describe, expect, it } from 'vitest';
import { ADAPTERS } from '../adapters/registry.ts';
import { WIRES } from '../adapters/wires/find-wires.ts';
import { admitNative, type NativeRules, reservedAmong } from './native-rules.ts';

const RULES: NativeRules = {
  passes: ['temperature', 'stop', 'options.seed', 'options.inner.deep'],
  reserved: ['model', 'messages', 'options.pages', 'pages'],
};

describe('admitNative', () => {
  it('sends on what is named, as it is', () => {
    const native = { temperature: 0.5, stop: [{ a: 1 }, null], options: { seed: 1, inner: { deep: { any: [] } } } };
    expect(admitNative(RULES, [], native)).toEqual({ native, ignored: [] });
  });

  it('names what it leaves out, also within an object', () => {
    const native = { model: 'm', vendor: 1, options: { seed: 1, other: 2, inner: { deep: 3, odd: 4 } } };
    expect(admitNative(RULES, [], native)).toEqual({
      native: { options: { seed: 1, inner: { deep: 3 } } },
      ignored: ['model', 'vendor', 'options.other', 'options.inner.odd'],
    });
  });

  it('leaves out an object of which nothing passes, and what is no object', () => {
    expect(admitNative(RULES, [], { options: { other: 1 } })).toEqual({ native: {}, ignored: ['options.other'] });
    for (const options of [null, 5, 'seed', [{ seed: 1 }]]) {
      expect(admitNative(RULES, [], { options })).toEqual({ native: {}, ignored: ['options'] });
    }
  });

  it('lets an operator open more, but nothing that is reserved, however it is spelled', () => {
    const native = { vendor: { x: 1 }, Model: 'm', MODEL: 'm', options: { other: 1, Pages: [1], pages: [1] } };
    const allowed = ['vendor', 'Model', 'MODEL', 'options'];
    expect(admitNative(RULES, allowed, native)).toEqual({
      native: { vendor: { x: 1 }, options: { other: 1 } },
      ignored: ['Model', 'MODEL', 'options.Pages', 'options.pages'],
    });
    expect(reservedAmong(RULES, allowed)).toEqual(['Model', 'MODEL']);
  });

  it('sends nothing on where there is no place for it, whatever an operator lets through', () => {
    const rules: NativeRules = { passes: [], reserved: [], sendsNone: true };
    expect(admitNative(rules, ['vendor'], { vendor: 1 })).toEqual({ native: {}, ignored: ['vendor'] });
  });

  it('takes no name from the prototype', () => {
    const native = JSON.parse('{"__proto__": {"temperature": 1}, "constructor": 1}');
    const admitted = admitNative(RULES, [], native);
    expect(admitted.ignored).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(admitted.native)).toBe(Object.prototype);
  });
});

describe.each(ADAPTERS.filter(({ native }) => native !== 'by the adapter').map((type) => [type.name, type] as const))(
  '%s',
  (name, { native: rules }) => {
    const attack = WIRES.find(({ adapter }) => adapter.name === name)?.attack ?? {};
    const names = leaves(attack);

    it('never lets a caller reach document, model, bill or addresses', () => {
      const { native, ignored } = admitNative(rules, [], attack);
      expect(native).toEqual({});
      expect(ignored.length).toBeGreaterThanOrEqual(Object.keys(attack).length);
    });

    it('refuses an operator who would open that, and holds all the same', () => {
      expect(reservedAmong(rules, names)).toEqual(names);
      expect(admitNative(rules, [...names, ...Object.keys(attack)], attack).ignored).toEqual(
        expect.arrayContaining(names),
      );
    });
  },
);

it('knows an attack for every adapter that sends settings anywhere', () => {
  const silent = ['tesseract', 'pdf-text'];
  expect(
    WIRES.filter(({ attack }) => Object.keys(attack).length > 0)
      .map(({ adapter }) => adapter.name)
      .sort(),
  ).toEqual(
    ADAPTERS.map((type) => type.name)
      .filter((name) => !silent.includes(name))
      .sort(),
  );
});

/** Names with a dot for those within an object that is opened by name. */
function leaves(attack: Record<string, unknown>): string[] {
  return Object.entries(attack).flatMap(([name, value]) =>
    /^(options|generation_?config)$/i.test(name)
      ? Object.keys(value as object).map((inner) => `${name}.${inner}`)
      : [name],
  );
}
