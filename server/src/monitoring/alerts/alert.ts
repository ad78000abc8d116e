import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { AlertRule } from './alert-rule.ts';
import { AlertEnd, AlertKind, AlertSeverity, IncidentImpact } from './kinds/alert-kind.ts';

/** A rule that held for an engine, or for the gateway, from when it fired until it was over. */
@ObjectType({ description: 'What an alert rule has found, and what became of it.', simpleResolvers: true })
export class Alert {
  @Field(() => ID, { description: 'Alert id, `alt_…`.' })
  id!: string;

  @Field(() => ID, { description: 'Its rule, which may be gone.' })
  ruleId!: string;

  @Field(() => AlertKind, { description: 'What its rule watches.' })
  kind!: AlertKind;

  @Field(() => AlertSeverity, {
    description: 'How soon somebody must look: as its rule says, and as it said at last when it is over.',
  })
  severity!: AlertSeverity;

  @Field(() => ID, { nullable: true, description: 'Engine id; null for the gateway as a whole.' })
  engineId!: string | null;

  @Field(() => String, { description: 'What is wrong.' })
  title!: string;

  @Field(() => String, { description: 'Why, in the words of the last bad check.' })
  detail!: string;

  @Field(() => Float, { nullable: true, description: 'The worst figure that was seen, in the unit of its kind.' })
  figure!: number | null;

  @Field(() => Float, { nullable: true, description: 'What it was compared with.' })
  threshold!: number | null;

  @Field(() => Date, {
    description:
      'When what it found began, where that is known, as of an engine that is down by its calls; otherwise when its rule fired.',
  })
  beganAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was over; null while it fires.' })
  endedAt!: Date | null;

  @Field(() => AlertEnd, {
    nullable: true,
    description: 'How it ended; null while it fires, and for one that ended before that was kept.',
  })
  endedBy!: AlertEnd | null;

  @Field(() => Date, { nullable: true, description: 'When it was told; null when it was not, such as in quiet hours.' })
  toldAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was told that it is over; null when it was not.' })
  endToldAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When an operator acknowledged it; null when none did.' })
  acknowledgedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'E-mail address of the account whose key acknowledged it.' })
  acknowledgedBy!: string | null;

  @Field(() => String, { nullable: true, description: 'What they wrote about it.' })
  note!: string | null;
}

@ObjectType({ description: 'Hours of a day in which no alert is told.', simpleResolvers: true })
export class QuietHours {
  @Field(() => String, { description: 'Time of day, HH:MM.' })
  from!: string;

  @Field(() => String, { description: 'Time of day, HH:MM; before `from`, it is of the next day.' })
  to!: string;

  @Field(() => String, { description: 'Time zone, such as `Europe/Berlin`.' })
  timeZone!: string;
}

@ObjectType({ description: 'The alert rules, and how they stand.', simpleResolvers: true })
export class AlertOverview {
  @Field(() => [AlertRule], { description: 'All rules, oldest first; at most 100.' })
  rules!: AlertRule[];

  @Field(() => [Alert], { description: 'Alerts that have not ended, oldest first; at most 500.' })
  firing!: Alert[];

  @Field(() => [Alert], { description: 'The latest 50 that have ended, newest first.' })
  ended!: Alert[];

  @Field(() => QuietHours, { nullable: true, description: 'When nothing is told; null: never.' })
  quietHours!: QuietHours | null;

  @Field(() => Date, { nullable: true, description: 'All rules are silent until then; null when they are not.' })
  mutedUntil!: Date | null;

  @Field(() => Float, { description: 'Seconds between two checks.' })
  checkEverySeconds!: number;

  @Field(() => Date, { nullable: true, description: 'When the rules were last checked; null before the first time.' })
  lastCheckAt!: Date | null;
}

@ObjectType({ description: 'When a rule would have been told.', simpleResolvers: true })
export class AlertPreviewEntry {
  @Field(() => Date, { description: 'When.' })
  at!: Date;

  @Field(() => ID, { nullable: true, description: 'Of which engine; null for the gateway as a whole.' })
  engineId!: string | null;

  @Field(() => String, { description: 'Why.' })
  detail!: string;
}

@ObjectType({
  description: 'What a rule would have told in the last days, by what is kept of them.',
  simpleResolvers: true,
})
export class AlertPreview {
  @Field(() => Int, { description: 'Days looked back.' })
  days!: number;

  @Field(() => [AlertPreviewEntry], { description: 'Oldest first; at most 500.' })
  fired!: AlertPreviewEntry[];

  @Field(() => String, { nullable: true, description: 'Why there is nothing to look back at; null where there is.' })
  unknown!: string | null;
}

/** An incident has what everybody may know of alerts: no figure, no threshold and no word of a provider. */
@ObjectType({ description: 'A time in which an engine was not as it should be.', simpleResolvers: true })
export class Incident {
  @Field(() => ID, { description: 'Id of the alert that began it.' })
  id!: string;

  @Field(() => ID, { description: 'Engine id.' })
  engineId!: string;

  @Field(() => String, { description: 'Engine name.' })
  engineName!: string;

  @Field(() => IncidentImpact, { description: 'What callers had of it.' })
  impact!: IncidentImpact;

  @Field(() => String, { description: 'The same in a sentence.' })
  summary!: string;

  @Field(() => Date, { description: 'When it began.' })
  beganAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was over; null while it lasts.' })
  endedAt!: Date | null;
}
