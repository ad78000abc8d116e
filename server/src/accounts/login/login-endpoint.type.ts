import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'How people get into the dashboard.', simpleResolvers: true })
export class Front {
  @Field(() => String, {
    description: '`password`: e-mail and password. `openid`: by way of `/api/login/start`. `none`: by neither.',
  })
  login!: 'password' | 'openid' | 'none';

  @Field(() => Boolean, { description: 'Whether anybody may make an account; with `openid` the first login makes it.' })
  registration!: boolean;
}
