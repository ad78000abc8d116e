import { LineDrawing } from '@ocr-router/ui/kit/line-drawing.tsx';
import { Link, useLocation } from 'wouter';
import classes from './shell.module.css';

const PATHS = {
  home: 'M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4Z',
  playground: 'M3 2.5h7l3 3v8H3ZM5.5 8l2 1.5-2 1.5M9 11.5h2',
  requests: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  usage: 'M2.5 13.5h11M4 11V8M8 11V3M12 11V6',
  keys: 'M10.5 2.5a3 3 0 1 1-2.2 5L3 12.8V14h-.5v-2.2M5 11l1.5 1.5',
  webhooks: 'M6 5a2 2 0 1 1 2.6 1.9L6.8 11M4.5 9.5a2 2 0 1 0 2 2.5h5M10.5 10a2 2 0 1 1-.3 3.5',
  status: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  account: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8ZM2.75 13.75c.6-2.6 2.7-4 5.25-4s4.65 1.4 5.25 4',
} as const;

type IconName = keyof typeof PATHS;

interface Place {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

const PLACES: readonly Place[] = [
  { href: '/', label: 'Home', icon: 'home' },
  { href: '/playground', label: 'Playground', icon: 'playground' },
  { href: '/requests', label: 'Requests', icon: 'requests' },
  { href: '/usage', label: 'Usage and balance', icon: 'usage' },
  { href: '/keys', label: 'Keys', icon: 'keys' },
  { href: '/webhooks', label: 'Webhooks', icon: 'webhooks' },
  { href: '/status', label: 'Status', icon: 'status' },
  { href: '/account', label: 'Account', icon: 'account' },
];

/** The pages of the dashboard. */
export function Navigation({ onLeave }: { readonly onLeave: () => void }) {
  const [path] = useLocation();
  return (
    <nav aria-label="Pages" className={classes['places']}>
      {PLACES.map(({ href, label, icon }) => (
        <Link
          key={href}
          href={href}
          onClick={onLeave}
          className={classes['placeLink']}
          aria-current={isHere(href, path) ? 'page' : undefined}
        >
          <Icon name={icon} />
          {label}
        </Link>
      ))}
    </nav>
  );
}

function isHere(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}

/** A small line drawing beside a word that says the same. */
function Icon({ name }: { readonly name: IconName }) {
  return <LineDrawing path={PATHS[name]} gridPx={16} strokeWidth={1.4} sizePx={16} />;
}
