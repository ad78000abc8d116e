import { Link } from 'wouter';
import { Panel } from '../kit/panel.tsx';
import classes from './home.module.css';

interface FirstStepsProps {
  readonly hasBalance: boolean;
  readonly hasKey: boolean;
  readonly hasWebhook: boolean;
}

/** What an account does first that has not read anything yet. */
export function FirstSteps({ hasBalance, hasKey, hasWebhook }: FirstStepsProps) {
  const steps = [
    {
      done: false,
      href: '/playground',
      title: 'Read a first document',
      words: hasBalance
        ? 'In the playground, with your own file or our sample.'
        : 'In the playground, with your own file or our sample. Engines with a price need a balance: whoever runs this gateway can add to it.',
    },
    {
      done: hasKey,
      href: '/keys',
      title: 'Create a key',
      words: 'Your programs call the API with it. It comes with a command to try.',
    },
    {
      done: hasWebhook,
      href: '/webhooks',
      title: 'Set up a webhook',
      words: 'Get a call when a background request has ended.',
    },
  ];
  return (
    <Panel title="First steps">
      <ol className={classes['steps']}>
        {steps.map(({ done, href, title, words }, index) => (
          <li key={href} className={classes['step']} data-done={done}>
            <span className={classes['number']} aria-hidden>
              {done ? '✓' : index + 1}
            </span>
            <div>
              <Link href={href} className="kit-link">
                {title}
              </Link>
              {done && <span className="kit-visually-hidden"> (done)</span>}
              <p>{words}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
