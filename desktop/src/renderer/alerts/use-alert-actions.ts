import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import {
  AcknowledgeAlertDocument,
  type AlertsNowFragment,
  CreateAlertRuleDocument,
  DeleteAlertRuleDocument,
  MuteAlertsDocument,
  SetAlertQuietHoursDocument,
  UpdateAlertRuleDocument,
} from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { type RuleDraft, ruleInput } from './rule-kinds.ts';

/** What can be done to the gateway's alerts; each is true when it was done, and says why when it was not. */
export interface AlertActions {
  readonly save: (rule: RuleDraft) => Promise<boolean>;
  readonly remove: (id: string) => Promise<boolean>;
  /** `id` null: all rules; `minutes` 0: no longer. */
  readonly mute: (id: string | null, minutes: number) => Promise<boolean>;
  readonly keepQuiet: (hours: AlertsNowFragment['quietHours']) => Promise<boolean>;
  readonly acknowledge: (id: string) => Promise<boolean>;
}

/** `onChanged` is called after each that was done. */
export function useAlertActions(onChanged: () => void): AlertActions {
  const create = useMutation(CreateAlertRuleDocument, showFailure);
  const update = useMutation(UpdateAlertRuleDocument, showFailure);
  const remove = useMutation(DeleteAlertRuleDocument, showFailure);
  const mute = useMutation(MuteAlertsDocument, showFailure);
  const keepQuiet = useMutation(SetAlertQuietHoursDocument, showFailure);
  const acknowledge = useMutation(AcknowledgeAlertDocument, showFailure);
  const changed = async (answer: Promise<unknown>): Promise<boolean> => {
    const isDone = (await answer) !== null;
    if (isDone) onChanged();
    return isDone;
  };
  return {
    save: (draft) => {
      const rule = ruleInput(draft);
      return changed(draft.id === undefined ? create.run({ rule }) : update.run({ id: draft.id, rule }));
    },
    remove: (id) => changed(remove.run({ id })),
    mute: (id, minutes) => changed(mute.run({ ruleId: id, minutes })),
    keepQuiet: (hours) => {
      const { from = null, to = null, timeZone = null } = hours ?? {};
      return changed(keepQuiet.run({ from, to, timeZone }));
    },
    acknowledge: (id) => changed(acknowledge.run({ id, note: null })),
  };
}
