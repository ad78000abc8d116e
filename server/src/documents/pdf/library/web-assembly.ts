/** Compiled code, which threads share. */
export type CompiledModule = object & { readonly kind?: 'module' };
export type Imports = Record<string, Record<string, unknown>>;

interface WebAssemblyApi {
  compile(code: Uint8Array): Promise<CompiledModule>;
  instantiate(module: CompiledModule, imports: Imports): Promise<object>;
}

/** The part of WebAssembly that is used here: Node has it, its type declarations do not. */
export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
