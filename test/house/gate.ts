/** Something to wait at until a test opens it. */
export interface FairSemaphore {
  readonly opened: Promise<void>;
  open(): void;
}

export function makeGate(): FairSemaphore {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
