import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { isOperator, managedAccount } from '../accounts/callers/account-scope.ts';
import { type Caller, requireSession } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { AccountStore } from '../accounts/store/account-store.ts';
import { Node, nodeTypeOf } from '../database/paging/node.type.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { AppError } from '../platform/errors.ts';
import type { RequestView } from '../requests/show/request-view.ts';
import type { DeliveryLog } from '../webhooks/delivery-log.ts';
import type { Registrations } from '../webhooks/registrations.ts';
import { shownDelivery } from '../webhooks/shown-delivery.ts';

export interface NodesDeps {
  readonly catalogue: Catalogue;
  readonly view: RequestView;
  readonly accounts: AccountStore;
  readonly registrations: Registrations;
  readonly deliveries: DeliveryLog;
}

/** Reads objects by id, as clients with a store by id (Relay) do, each under the rules of the ordinary way to read it. */
@Resolver()
export class NodesResolver {
  constructor(private readonly deps: NodesDeps) {}

  @Query(() => Node, {
    nullable: true,
    description: 'Something by its id, as far as the caller may read it; null where there is none.',
  })
  async node(
    @Arg('id', () => ID, { description: 'Any id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<Node | null> {
    try {
      return await this.#read(caller, id);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  async #read(caller: Caller | null, id: string): Promise<Node | null> {
    const { catalogue, view, accounts, registrations, deliveries } = this.deps;
    switch (nodeTypeOf(id)) {
      case 'OcrRequest':
        return view.read(caller, id);
      case 'Account':
        return accounts.find(managedAccount(caller, id));
      case 'ApiKey': {
        const owner = managedAccount(caller, null);
        return accounts.keys.find(id, isOperator(caller) ? null : owner);
      }
      case 'Webhook':
        return registrations.find(isOperator(caller) ? managedAccount(caller, null) : loginOf(caller), id);
      case 'WebhookDelivery': {
        const delivery = await deliveries.find(isOperator(caller) ? null : loginOf(caller), id);
        return shownDelivery(caller, delivery);
      }
      case 'Engine':
        return catalogue.engines.find((engine) => engine.id === id) ?? null;
    }
  }
}

function loginOf(caller: Caller | null): string {
  return requireSession(caller).accountId;
}
