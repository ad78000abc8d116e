import { print } from 'graphql';
import { AlertsFollowedDocument, type AlertsFollowedSubscription } from '../../documents.generated.ts';
import type { AlertNotice } from '../../shared/alerts.ts';
import type { GraphqlResult } from '../../shared/channels.ts';
import type { GatewayLink } from '../gateway/gateway-link.ts';
import { type Known, newsOf } from './news.ts';
import { Notices } from './notices.ts';

const FOLLOW = { query: print(AlertsFollowedDocument), variables: {} };

interface FollowerTools {
  readonly link: Pick<GatewayLink, 'subscribe'>;
  readonly tell: (notice: AlertNotice) => void;
}

/** Follows the alerts of the gateway that is shown, also while no page is open, and gives notice of new ones. */
export class AlertFollower implements Disposable {
  readonly #tools: FollowerTools;
  #profileId: string | null = null;
  #end: (() => void) | null = null;
  #known: Known | null = null;
  #notices: Notices;

  constructor(tools: FollowerTools) {
    this.#tools = tools;
    this.#notices = new Notices(tools.tell);
  }

  /** Another gateway begins with no memory of the one before. The link must be on its way to it. */
  follow(profileId: string | null): void {
    if (profileId === this.#profileId) return;
    this.#leave();
    this.#notices = new Notices(this.#tools.tell);
    this.#profileId = profileId;
    this.resume();
  }

  /** Asks again where the gateway has refused: it may have been upgraded, or the key changed. */
  resume(): void {
    if (this.#profileId === null || this.#end) return;
    const over = () => {
      this.#end = null;
    };
    this.#end = this.#tools.link.subscribe(FOLLOW, {
      next: (result) => this.#take(result),
      error: over,
      complete: over,
    });
  }

  [Symbol.dispose](): void {
    this.#profileId = null;
    this.#leave();
  }

  #take({ data, errors }: GraphqlResult): void {
    if (errors || !data) return;
    const { alertsChanged } = data as AlertsFollowedSubscription; // the generated type of this very document
    const { alerts, known } = newsOf(alertsChanged, this.#known);
    this.#known = known;
    if (alerts.length > 0) this.#notices.add(alerts);
  }

  #leave(): void {
    this.#end?.();
    this.#end = null;
    this.#known = null;
    this.#notices[Symbol.dispose]();
  }
}
