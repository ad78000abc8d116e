import { Component, type ReactNode } from 'react';
import { Failed } from './failed.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** What to try again does; without it, the page is drawn anew. */
  readonly onRetry?: () => void;
  /** What to tell people of a failure; its own message when absent. */
  readonly words?: (failure: Error) => string;
}

interface PageBoundaryState {
  readonly failure: Error | null;
}

/** A page that breaks, or whose code cannot be fetched, takes neither the frame nor the other pages with it. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { failure: null };

  static getDerivedStateFromError(failure: Error): PageBoundaryState {
    return { failure };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const onRetry = this.props.onRetry ?? (() => this.setState({ failure: null }));
    return (
      <Failed
        title="This page could not be shown"
        message={this.props.words?.(failure) ?? failure.message}
        onRetry={onRetry}
      />
    );
  }
}
