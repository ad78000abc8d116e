import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { EngineMoneyDocument, type EngineMoneyQuery } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';

export type EngineMoney = EngineMoneyQuery['engineMoney'];

const POLL_MS = 60_000;

/** What some engines brought in over the last hours, by id; none until it is known, or where it could not be asked for. */
export function useEngineMoney(ids: readonly string[], hours: number): ReadonlyMap<string, EngineMoney> {
  const client = useClient();
  const [known, setKnown] = useState<ReadonlyMap<string, EngineMoney>>(new Map());
  const [round, setRound] = useState(0);
  usePolling(() => setRound((old) => old + 1), POLL_MS);
  const wanted = ids.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    let isCurrent = true;
    const asked = wanted === '' ? [] : wanted.split(',');
    const options = { requestPolicy: 'network-only' } as const;
    const answers = asked.map(async (id) => {
      const { data } = await client.query(EngineMoneyDocument, { id, hours }, options);
      return data ? [[id, data.engineMoney] as const] : [];
    });
    void Promise.all(answers).then((all) => {
      if (isCurrent) setKnown(new Map(all.flat()));
    });
    return () => {
      isCurrent = false;
    };
  }, [client, wanted, hours, round]);
  return known;
}
