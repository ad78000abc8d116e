import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Component, type ReactNode } from 'react';

interface PageBoundaryState {
  readonly failure: Error | null;
}

/** A page that breaks takes neither the shell nor the other pages with it. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, PageBoundaryState> {
  override state: PageBoundaryState = { failure: null };

  static getDerivedStateFromError(failure: Error): PageBoundaryState {
    return { failure };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <Failed title="This page broke" message={failure.message} onRetry={() => this.setState({ failure: null })} />
    );
  }
}
