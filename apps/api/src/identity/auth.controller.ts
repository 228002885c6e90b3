import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LogIn, ReadMe, SignUp, type Actor } from '#identity';
import { Responds, CurrentActor, RequestBody, LimitFailures, Public } from '../http/index.ts';
import { LogInForm } from './log-in-form.ts';
import { MeAnswer, meAnswer } from './me-answer.ts';
import { SessionAnswer, sessionAnswer } from './session-answer.ts';
import { SignUpForm } from './sign-up-form.ts';

@ApiTags('Accounts')
@Controller('v2/auth')
export class AuthController {
  constructor(
    @Inject(SignUp) private readonly signUp: SignUp,
    @Inject(LogIn) private readonly logIn: LogIn,
    @Inject(ReadMe) private readonly readMe: ReadMe,
  ) {}

  @Post('signup')
  @Public()
  @Responds(201, SessionAnswer, {
    summary: 'Sign up',
    description:
      'Opens an account with a workspace of its own on the plan `free`, and one persona named `Default`. An operator can switch signing up off; then the answer is 403.',
    errors: ['validation_failed', 'forbidden', 'user_exists'],
  })
  async postSignup(@RequestBody() form: SignUpForm): Promise<SessionAnswer> {
    return sessionAnswer(await this.signUp.run({ ...form, name: form.name ?? null }));
  }

  @Post('login')
  @Public()
  @LimitFailures({ perAddress: 30, field: 'email', perValue: 10 })
  @Responds(200, SessionAnswer, {
    summary: 'Log in',
    description: 'Answers a new token. An unknown e-mail and a wrong password are refused alike.',
    errors: ['validation_failed', 'unauthenticated'],
  })
  async postLogin(@RequestBody() form: LogInForm): Promise<SessionAnswer> {
    return sessionAnswer(await this.logIn.run(form));
  }

  @Get('me')
  @Responds(200, MeAnswer, { summary: 'Who the token belongs to, and where they act' })
  async getMe(@CurrentActor() actor: Actor): Promise<MeAnswer> {
    return meAnswer(await this.readMe.run(actor), actor);
  }
}
