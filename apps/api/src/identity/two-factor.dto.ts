import type { Enrolment } from '#identity';
import { ListField, TextField } from '../http/index.ts';
import { TYPED_PASSWORD } from './account.dto.ts';

export class StartTwoFactorRequest {
  @TextField('Password of the account; required where it has one.', TYPED_PASSWORD) password?: string | null;
}

export class ConfirmTwoFactorRequest {
  @TextField('Code of the authenticator app.', { example: '492039', max: 100 }) code!: string;
}

export class TwoFactorProof extends StartTwoFactorRequest {
  @TextField('Code of the authenticator app, or a recovery code.', { example: '492039', max: 100 }) code!: string;
}

export class EnrolmentResponse {
  @TextField('The secret in base32, to type into an app. It is shown only once.', {
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret!: string;

  @TextField('The same as a URL for apps.', {
    example: 'otpauth://totp/x12:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=x12',
  })
  otpauth_url!: string;

  @TextField('The URL as a QR code: an SVG document.', { example: '<svg xmlns="http://www.w3.org/2000/svg">…</svg>' })
  qr_code!: string;
}

export function enrolmentResponse({ secret, url, qrCode }: Enrolment): EnrolmentResponse {
  return { secret, otpauth_url: url, qr_code: qrCode };
}

export class RecoveryCodesResponse {
  @ListField(() => String, 'Ten codes. Each works once.', { example: ['3f9a1-07c2e-b81d4-95a60'] })
  recovery_codes!: readonly string[];
}
