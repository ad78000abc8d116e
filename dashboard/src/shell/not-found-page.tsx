import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { Page } from '../kit/page.tsx';

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Not here">
      <Empty
        title="There is no such page"
        action={
          <Link href="/" className="kit-link">
            Go home
          </Link>
        }
      >
        The address may be mistyped, or the page was moved.
      </Empty>
    </Page>
  );
}
