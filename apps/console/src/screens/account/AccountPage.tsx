import { PrivateFiles } from '../../private-files/index.ts';
import { useMe } from '../../shell/index.ts';
import { Page } from '../../ui/index.ts';
import { ApplicationsSection } from './ApplicationsSection.tsx';
import { DeleteSection } from './DeleteSection.tsx';
import { DownloadsSection } from './DownloadsSection.tsx';
import { EmailSection } from './EmailSection.tsx';
import { ExportSection } from './ExportSection.tsx';
import { MailsSection } from './MailsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { SignInMethodsSection } from './SignInMethodsSection.tsx';
import { TwoFactorSection } from './TwoFactorSection.tsx';
import { words } from './words.ts';

/** The user's own account. */
export function AccountPage() {
  return (
    <Page title={words.title}>
      <ProfileSection />
      <EmailSection />
      <MailsSection />
      <PasswordSection />
      <SignInMethodsSection />
      <TwoFactorSection />
      <SessionsSection />
      <ApplicationsSection />
      {!useMe().workspace.is_team && <PrivateFiles />}
      <DownloadsSection />
      <ExportSection />
      <DeleteSection />
    </Page>
  );
}
