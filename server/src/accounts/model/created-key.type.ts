import { Field, ObjectType } from 'type-graphql';
import { ApiKey } from './api-key.ts';

@ObjectType({ description: 'A key that was just made.', simpleResolvers: true })
export class CreatedKey {
  @Field(() => ApiKey, { description: 'The key’s record.' })
  key!: ApiKey;

  @Field(() => String, { description: 'The key itself, `sk-ocr-…`: shown here and never again.' })
  apiKey!: string;
}
