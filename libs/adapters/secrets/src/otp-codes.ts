import { hash, randomBytes } from 'node:crypto';
import {
  RECOVERY_CODE_BYTES,
  type Email,
  type Enrolment,
  type OneTimeCodes,
  type RecoveryCode,
  type RecoveryCodeHash,
  type TotpCode,
} from '#identity';

const SECRET_BYTES = 20;
const STEP_SECONDS = 30;

/** Codes by otplib. It is loaded when the first code is needed, and so is the library for QR codes. */
export class OtpCodes implements OneTimeCodes {
  /** @param issuer what apps show beside the e-mail address */
  constructor(private readonly issuer: string) {}

  createSecret(): Uint8Array {
    return randomBytes(SECRET_BYTES);
  }

  async enrolmentOf(secret: Uint8Array, email: Email): Promise<Enrolment> {
    const [{ generateURI, ScureBase32Plugin }, { toString: draw }] = await Promise.all([
      import('otplib'),
      import('qrcode'),
    ]);
    const shown = new ScureBase32Plugin().encode(secret);
    const url = generateURI({ issuer: this.issuer, label: email, secret: shown });
    return { secret: shown, url, qrCode: await draw(url, { type: 'svg' }) };
  }

  async stepOf(code: TotpCode, secret: Uint8Array, now: Date): Promise<number | null> {
    const { verify } = await import('otplib');
    const epoch = Math.floor(now.getTime() / 1000);
    // One step either way: verify takes a tolerance in seconds.
    const found = await verify({ token: code, secret, epoch, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
    return found.valid && 'timeStep' in found ? found.timeStep : null;
  }

  createRecoveryCode(): RecoveryCode {
    return randomBytes(RECOVERY_CODE_BYTES).toString('hex') as RecoveryCode;
  }

  hashRecoveryCode(code: RecoveryCode): RecoveryCodeHash {
    return hash('sha256', code) as RecoveryCodeHash;
  }
}
