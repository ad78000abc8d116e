import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A public key (JSON Web Key).', simpleResolvers: true })
export class Jwk {
  @Field(() => String, { description: 'Key type.' })
  kty!: string;

  @Field(() => String, { description: 'Curve.' })
  crv!: string;

  @Field(() => String, { description: 'Algorithm.' })
  alg!: string;

  @Field(() => String, { description: 'What the key is for.' })
  use!: string;

  @Field(() => String, { description: 'Id of the key.' })
  kid!: string;

  @Field(() => String, { description: 'First coordinate, base64url.' })
  x!: string;

  @Field(() => String, { description: 'Second coordinate, base64url.' })
  y!: string;
}

@ObjectType({ description: 'A JSON Web Key Set.', simpleResolvers: true })
export class JwkSet {
  @Field(() => [Jwk], { description: 'The keys, the newest first.' })
  keys!: Jwk[];
}
