import type { Settings } from '#config';
import { CONSOLE_PATH, type Identity } from '#identity';
import {
  BooleanField,
  IntegerField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { TYPED_PASSWORD } from './account.dto.ts';

const RETURN_TO = { example: `${CONSOLE_PATH}/account`, max: 1000, required: false } as const;

export class StartSignInRequest {
  @TextField('Path of the console to return to.', RETURN_TO) return_to?: string;
}

export class LinkIdentityRequest {
  @TextField('Password of the account; required where it has one.', TYPED_PASSWORD) password?: string | null;
  @TextField('Path of the console to return to.', RETURN_TO) return_to?: string;
}

export class IssuerPageResponse {
  @UrlField("The issuer's page, which this browser has to open.", {
    example: 'https://login.example.com/authorize?client_id=x12',
  })
  url!: string;
}

export class IdentityDto {
  @IntegerField('Identifier of the linked identity, by which it is unlinked.', { example: 3 }) id!: number;
  @TextField('The issuer.', { example: 'https://login.example.com' }) issuer!: string;
  @TextField('Address at the issuer when the identity was linked; null where it named none.', {
    example: 'ada@example.com',
    nullable: true,
  })
  email!: string | null;

  @TimeField('When it was linked.') created_at!: Date;
}

export class IdentitiesResponse extends PageResponse {
  @ListField(() => IdentityDto, 'The linked identities, oldest first.') identities!: IdentityDto[];
}

export function identityDto({ id, issuer, email, createdAt }: Identity): IdentityDto {
  return { id, issuer, email, created_at: createdAt };
}

export class OidcMethodDto {
  @TextField('Name of the issuer, for the button.', { example: 'Example Inc.' }) name!: string;
}

export class SignInMethodsResponse {
  @BooleanField('Whether people can log in by password.', { example: true }) password!: boolean;
  @BooleanField('Whether anyone can sign up.', { example: true }) signup!: boolean;
  @ObjectField(() => OidcMethodDto, 'Single sign-on; null where there is none.', { nullable: true })
  oidc!: OidcMethodDto | null;
}

export function signInMethodsResponse({ accounts, oidc }: Settings): SignInMethodsResponse {
  const { passwordLogin: password, signupEnabled } = accounts;
  return { password, signup: password && signupEnabled, oidc: oidc.issuer === null ? null : { name: oidc.name } };
}
