import { Field, ObjectType } from 'type-graphql';
import { FileFormat } from './output-format.ts';

@ObjectType({ description: 'A file that can be made of a result, over REST.', simpleResolvers: true })
export class Output {
  @Field(() => FileFormat, { description: 'Which one.' })
  format!: FileFormat;

  @Field(() => Boolean, { description: 'Whether `GET` at `url` answers with it.' })
  available!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it does not, or what it takes.' })
  reason!: string | null;

  @Field(() => String, { description: 'Its path at the API, for the account that sent the request.' })
  url!: string;
}
