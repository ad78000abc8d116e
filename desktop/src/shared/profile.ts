/** A gateway that the console can show. Its token stays with the shell. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Where the gateway's API answers, without `/graphql`. */
  readonly url: string;
  /** `#rrggbb` */
  readonly colour: string;
  /** Changes are refused by the shell, whatever the page sends. */
  readonly readOnly: boolean;
  readonly production: boolean;
  readonly hasToken?: boolean;
  /** From the environment of `desktop:web`: it cannot be changed or removed here. */
  readonly fixed?: boolean;
}

/** Without `id` a new one. Without `token` the kept one stays, unless `url` leads elsewhere: then it is forgotten. */
export interface ProfileInput {
  readonly id?: string;
  readonly name: string;
  readonly url: string;
  readonly colour: string;
  readonly readOnly: boolean;
  readonly production: boolean;
  readonly token?: string;
}
