import { Link, useLocation } from 'wouter';
import { Icon, type IconName } from './icon.tsx';
import classes from './shell.module.css';

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
