import { SegmentedControl } from '@mantine/core';
import { everyHour } from '@ocr-router/ui/charts/hours.ts';
import { LatencyChart } from '@ocr-router/ui/charts/latency-chart.tsx';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { EngineLatencyDocument } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: '24', label: '24 h' },
  { value: '168', label: '7 d' },
  { value: '720', label: '30 d' },
];
const USUAL_SPAN = '168';
const POLL_MS = 60_000;

/** p50, p95 and p99 by hour over requests and errors; an hour opens its requests. */
export function LatencyTab({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useSearchParam('hours');
  const span = SPANS.find(({ value }) => value === chosen)?.value ?? USUAL_SPAN;
  const answer = useQuery(EngineLatencyDocument, { id, hours: Number(span) });
  usePolling(answer.refetch, POLL_MS);
  const nowMs = useNow(POLL_MS);
  const buckets = answer.data?.engineLatency.data;
  const slots = useMemo(() => everyHour(buckets ?? [], Number(span), nowMs), [buckets, span, nowMs]);
  const chips = <SegmentedControl aria-label="Span" data={SPANS} value={span} onChange={setChosen} />;
  const openHour = (atMs: number): void => {
    const from = new Date(atMs).toISOString();
    const to = new Date(atMs + HOUR_MS).toISOString();
    navigate(`/engines/${id}?tab=requests&from=${from}&to=${to}`);
  };
  return (
    <Answer subject="The latency" answer={answer} loadingRows={8}>
      {() => <LatencyChart title="Engine time by hour" slots={slots} controls={chips} onOpenHour={openHour} />}
    </Answer>
  );
}
