import { Controller, Delete, Inject } from '@nestjs/common';
import { TwoFactors, type Actor } from '#identity';
import { CurrentActor, LimitFailures, Post, RequestBody, Responds } from '../http/index.ts';
import { PASSWORD_FAILURES } from './account.controllers.ts';
import {
  ConfirmTwoFactorRequest,
  EnrolmentResponse,
  enrolmentResponse,
  RecoveryCodesResponse,
  StartTwoFactorRequest,
  TwoFactorProof,
} from './two-factor.dto.ts';

@Controller('v2/auth/two_factor')
export class TwoFactorController {
  constructor(@Inject(TwoFactors) private readonly twoFactors: TwoFactors) {}

  @Post()
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(201, EnrolmentResponse, {
    id: 'auth.twoFactor.create',
    summary: 'Set up two-factor',
    description:
      "Creates a secret for the caller's authenticator app, in place of one that was not confirmed. Returns the " +
      'secret, as text, as an `otpauth:` URL and as a QR code. Two-factor is on once a code has confirmed it. An ' +
      'account without a password needs a session of the last ten minutes instead of `password`. Responds with 503 ' +
      'when the operator has set no SECRET_KEY.',
    errors: ['conflict'],
  })
  async postTwoFactor(@CurrentActor() actor: Actor, @RequestBody() { password = null }: StartTwoFactorRequest) {
    return enrolmentResponse(await this.twoFactors.start(actor, password));
  }

  @Post('confirm')
  @Responds(200, RecoveryCodesResponse, {
    id: 'auth.twoFactor.confirm',
    summary: 'Turn two-factor on',
    description:
      'Turns two-factor on by a code of the app. Returns ten recovery codes, which are shown only once; each replaces ' +
      'a code of the app once. All other sessions of the caller end; API tokens stay valid and need no code. An ' +
      '`Idempotency-Key` has no effect.',
    errors: ['conflict'],
    keptBy: 'nobody',
  })
  async postConfirm(@CurrentActor() actor: Actor, @RequestBody() { code }: ConfirmTwoFactorRequest) {
    return { recovery_codes: await this.twoFactors.confirm(actor, code) };
  }

  @Delete()
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(200, null, {
    id: 'auth.twoFactor.delete',
    summary: 'Turn two-factor off',
    description:
      'Turns two-factor off. Returns only `status`. An account without a password needs a session of the last ten ' +
      'minutes instead of `password`.',
    errors: ['conflict'],
  })
  async deleteTwoFactor(@CurrentActor() actor: Actor, @RequestBody() { password = null, code }: TwoFactorProof) {
    await this.twoFactors.stop(actor, { password, code });
  }

  @Post('recovery_codes')
  @LimitFailures(PASSWORD_FAILURES)
  @Responds(200, RecoveryCodesResponse, {
    id: 'auth.twoFactor.recoveryCodes.rotate',
    summary: 'Replace the recovery codes',
    description:
      'Replaces the recovery codes of the caller. Returns ten new ones, which are shown only once. An account without ' +
      'a password needs a session of the last ten minutes instead of `password`. An `Idempotency-Key` has no effect.',
    errors: ['conflict'],
    keptBy: 'nobody',
  })
  async postRecoveryCodes(@CurrentActor() actor: Actor, @RequestBody() { password = null, code }: TwoFactorProof) {
    return { recovery_codes: await this.twoFactors.renewRecoveryCodes(actor, { password, code }) };
  }
}
