import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AlertKind, AlertSeverity } from './kinds/alert-kind.ts';

const ENGINE = 'Engine id; null: any engine, each watched by itself, or a kind that watches the gateway as a whole.';
const THRESHOLD = 'Above it the rule holds, in the unit of its kind; null for kinds without one.';

/** A rule as operators write it. */
@InputType({ description: 'An alert rule, as it is written.' })
export class AlertRuleInput {
  @Field(() => AlertKind, { description: 'What it watches.' })
  kind!: AlertKind;

  @Field(() => ID, { nullable: true, description: ENGINE })
  engineId?: string | null;

  @Field(() => Float, { nullable: true, description: THRESHOLD })
  threshold?: number | null;

  @Field(() => AlertSeverity, {
    nullable: true,
    description: 'How soon somebody must look; when absent `critical` for a new rule, and as it is for another.',
  })
  severity?: AlertSeverity | null;

  @Field(() => Int, { description: 'Checks in a row that must be bad before it fires, 1 to 120.' })
  fireAfter!: number;

  @Field(() => Int, { description: 'Checks in a row that must be good before it is over, 1 to 120.' })
  recoverAfter!: number;

  @Field(() => Float, { description: 'After it was told, the same alert is silent for so many minutes, 0 to 1440.' })
  cooldownMinutes!: number;

  @Field(() => Boolean, { description: 'Whether it is watched.' })
  enabled!: boolean;
}

/** A rule as it is stored. */
@ObjectType({ description: 'An alert rule.', simpleResolvers: true })
export class AlertRule {
  @Field(() => ID, { description: 'Rule id, `alr_…`.' })
  id!: string;

  @Field(() => AlertKind, { description: 'What it watches.' })
  kind!: AlertKind;

  @Field(() => ID, { nullable: true, description: ENGINE })
  engineId!: string | null;

  @Field(() => Float, { nullable: true, description: THRESHOLD })
  threshold!: number | null;

  @Field(() => AlertSeverity, { description: 'How soon somebody must look at what it finds.' })
  severity!: AlertSeverity;

  @Field(() => Int, { description: 'Checks in a row that must be bad before it fires.' })
  fireAfter!: number;

  @Field(() => Int, { description: 'Checks in a row that must be good before it is over.' })
  recoverAfter!: number;

  @Field(() => Float, { description: 'After it was told, the same alert is silent for so many minutes.' })
  cooldownMinutes!: number;

  @Field(() => Boolean, { description: 'Whether it is watched.' })
  enabled!: boolean;

  @Field(() => Date, { nullable: true, description: 'It is silent until then; null when it is not muted.' })
  mutedUntil!: Date | null;
}
