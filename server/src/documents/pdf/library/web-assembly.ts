/** Compiled code, which threads can share. */
export type CompiledModule = object & { readonly kind?: 'module' };
export type Imports = Record<string, Record<string, unknown>>;

/** A function of WebAssembly: a table takes no other ones. */
export type CompiledFunction = object & { readonly kind?: 'function' };

export interface FunctionTable {
  set(slot: number, compiled: CompiledFunction | null): void;
}

interface WebAssemblyApi {
  compile(code: Uint8Array): Promise<CompiledModule>;
  instantiate(module: CompiledModule, imports: Imports): Promise<object>;
  /** Constructors for small code: both block their thread. */
  readonly Module: new (
    code: Uint8Array,
  ) => CompiledModule;
  readonly Instance: new (
    module: CompiledModule,
    imports: Imports,
  ) => { readonly exports: Readonly<Record<string, CompiledFunction>> };
}

/** The part of WebAssembly that is used here: Node has it, its type declarations do not. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
