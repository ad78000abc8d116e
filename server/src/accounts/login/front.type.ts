import { Field, ObjectType } from 'type-graphql';
import { enumType } from '../../platform/enum-type.ts';

const LoginMethod = enumType('LoginMethod', 'How people log in to the dashboard.', {
  password: 'By e-mail address and password.',
  openid: 'At an identity provider, by way of `/api/login/start`.',
  none: 'Not at all.',
});
type LoginMethod = keyof typeof LoginMethod;

@ObjectType({ description: 'How people get into the dashboard.', simpleResolvers: true })
export class Front {
  @Field(() => LoginMethod, { description: 'What a login takes.' })
  login!: LoginMethod;

  @Field(() => Boolean, { description: 'Whether anybody may make an account; with `openid` the first login makes it.' })
  registration!: boolean;
}
