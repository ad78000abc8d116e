import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** The operator's own switch of an engine; without a row the configuration decides. */
@Entity({ tableName: 'engine_switch' })
export class EngineSwitch {
  @PrimaryKey({ type: 'text' })
  engine!: string;

  @Property({ type: 'boolean' })
  enabled!: boolean;

  @Property({ type: 'Date', columnType: 'timestamptz' })
  changedAt: Date = new Date();
}
