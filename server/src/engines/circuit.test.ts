import { describe, expect, it } from 'vitest';
import { Circuit } from './circuit.ts';
import type { Ending } from './engine.ts';

const DOWN: Ending = { kind: 'failed', message: 'down', temporary: true, httpStatus: 503 };
const FINE: Ending = { kind: 'ok' };

function failing(times: number): { circuit: Circuit; pass: (ms: number) => void } {
  let now = 1000;
  const circuit = new Circuit(() => now);
  for (let i = 0; i < times; i++) circuit.record(DOWN);
  return { circuit, pass: (ms) => (now += ms) };
}

describe('Circuit', () => {
  it('opens after five faults in a row', () => {
    expect(failing(4).circuit.isOpen).toBe(false);
    expect(failing(5).circuit.isOpen).toBe(true);
  });

  it.each<Ending>([
    { kind: 'timeout', message: '' },
    { kind: 'failed', message: '', temporary: true, httpStatus: null },
  ])('counts %j as a fault', (ending) => {
    const { circuit } = failing(4);
    circuit.record(ending);
    expect(circuit.isOpen).toBe(true);
  });

  it.each<Ending>([
    FINE,
    { kind: 'refused', message: '' },
    { kind: 'unreadable', message: '' },
    { kind: 'failed', message: '', temporary: true, httpStatus: 429 },
  ])('begins to count anew after %j', (ending) => {
    const { circuit } = failing(4);
    circuit.record(ending);
    circuit.record(DOWN);
    expect(circuit.isOpen).toBe(false);
  });

  it('lets one call try after 30 s, and closes when it goes well', () => {
    const { circuit, pass } = failing(5);
    pass(29_999);
    expect(circuit.isOpen).toBe(true);
    pass(1);
    expect(circuit.isOpen).toBe(false);
    circuit.begin();
    expect(circuit.isOpen).toBe(true);
    circuit.record(FINE);
    expect(circuit.isOpen).toBe(false);
  });

  it('opens again when the trial fails', () => {
    const { circuit, pass } = failing(5);
    pass(30_000);
    circuit.begin();
    circuit.record(DOWN);
    expect(circuit.isOpen).toBe(true);
  });
});
