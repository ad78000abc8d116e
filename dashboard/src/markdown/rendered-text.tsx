import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { lazy, Suspense } from 'react';

const RenderedMarkdown = lazy(() => import('./rendered-markdown.tsx'));

/** Markdown as it is meant to be read; what draws it is loaded when it is first shown. */
export function RenderedText(props: { readonly label: string; readonly text: string }) {
  return (
    <Suspense fallback={<Loading rows={4} />}>
      <RenderedMarkdown {...props} />
    </Suspense>
  );
}
