import { setTimeout as sleep } from 'node:timers/promises';
import { type Product, type ProductOptions, startProduct } from '../house/product.ts';
import { Mortal } from './mortal.ts';

const TRIES = 10;

/** A process of the product that an operator's supervisor starts again, with the same settings, whenever it ends. */
export interface MortalProduct extends AsyncDisposable {
  readonly mortal: Mortal;
  readonly current: Product;
}

/** `fault` is where its first life ends. */
export async function startMortalProduct({
  fault,
  ...options
}: ProductOptions & { fault?: string }): Promise<MortalProduct> {
  let current = await startProduct({ ...options, env: { ...options.env, FAULT: fault ?? '' } });
  let disposed = false;
  const kind = options.role === undefined || options.role === 'main' ? 'all-in-one' : options.role;
  const mortal = new Mortal(kind, {
    kill: () => current.kill(),
    revive: async () => {
      await current[Symbol.asyncDispose]();
      current = await startAgain(options);
      if (disposed) await current[Symbol.asyncDispose]();
    },
  });
  return {
    mortal,
    get current() {
      return current;
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await current[Symbol.asyncDispose]();
    },
  };
}

/** What it needs may be dead as well at this moment. */
async function startAgain(options: ProductOptions): Promise<Product> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startProduct(options);
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(200);
    }
  }
}
