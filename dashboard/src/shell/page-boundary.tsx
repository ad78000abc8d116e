import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Component, type ReactNode } from 'react';

interface PageBoundaryState {
  readonly failure: Error | null;
}

/**
 * A page that breaks, or whose code cannot be fetched, takes the frame and the other pages not with it. To try again loads
 * the application anew: after an update of the gateway the code has other names, and a failed import stays failed.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, PageBoundaryState> {
  override state: PageBoundaryState = { failure: null };

  static getDerivedStateFromError(failure: Error): PageBoundaryState {
    return { failure };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return <Failed title="This page could not be shown" message={failure.message} onRetry={() => location.reload()} />;
  }
}
