import type { MailTexts } from "./mail-kinds.ts";

/** Mails in German. */
export const GERMAN: MailTexts = {
  mails: {
    signup_code: [
      "Konto fertig einrichten",
      "Jemand, hoffentlich Sie selbst, richtet mit dieser Adresse ein Konto bei {host} ein.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Ohne den Code entsteht kein Konto.",
    ],
    account_exists: [
      "Sie haben schon ein Konto",
      "Jemand, hoffentlich Sie selbst, wollte mit dieser Adresse ein Konto bei {host} einrichten. Sie hat schon eines.",
      "Melden Sie sich so an wie bisher. Haben Sie Ihr Passwort vergessen oder nie eines gehabt, setzen Sie es dort neu.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Es hat sich nichts geändert.",
    ],
    reset_code: [
      "Neues Passwort setzen",
      "Jemand, hoffentlich Sie selbst, möchte ein neues Passwort für Ihr Konto bei {host} setzen.",
      "Ein neues Passwort beendet alle Sitzungen. Verbundene Anbieter bleiben: Prüfen Sie sie, wenn Sie angemeldet sind.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.",
    ],
    login_code: [
      "Ihr Code zum Anmelden",
      "Jemand, hoffentlich Sie selbst, möchte sich bei Ihrem Konto bei {host} anmelden.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Ohne den Code endet diese Anmeldung hier.",
    ],
    password_code: [
      "Ihr Code zum Ändern des Passworts",
      "Jemand, der bei Ihrem Konto bei {host} angemeldet ist, hoffentlich Sie selbst, möchte das Passwort ändern.",
    ],
    delete_code: [
      "Ihr Code zum Löschen des Kontos",
      "Jemand, der bei Ihrem Konto bei {host} angemeldet ist, hoffentlich Sie selbst, möchte es löschen. Das lässt sich nicht rückgängig machen.",
    ],
    reauthentication_code: [
      "Ihr Code als Bestätigung, dass Sie es sind",
      "Jemand, der bei Ihrem Konto bei {host} angemeldet ist, hoffentlich Sie selbst, möchte dessen Schutz ändern und bestätigt das zuerst.",
    ],
    email_code: [
      "Neue Adresse bestätigen",
      "Jemand, hoffentlich Sie selbst, möchte diese Adresse für ein Konto bei {host} verwenden.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Ohne den Code ändert sich nichts.",
    ],
    email_taken: [
      "Nach Ihrer Adresse wurde gefragt",
      "Jemand, hoffentlich Sie selbst, wollte diese Adresse für ein anderes Konto bei {host} verwenden. Sie gehört zu Ihrem Konto.",
      "Waren Sie es nicht, ignorieren Sie diese Nachricht: Es hat sich nichts geändert.",
    ],
    email_requested: [
      "Ihr Konto soll eine andere Adresse bekommen",
      "Jemand, der bei Ihrem Konto angemeldet ist, hoffentlich Sie selbst, möchte eine andere Adresse dafür verwenden. Dorthin ging ein Code; bis er eingegeben ist, ändert sich nichts.",
    ],
    email_changed_from: [
      "Die Adresse Ihres Kontos wurde geändert",
      "Ihr Konto verwendet jetzt eine andere Adresse, die mit einem zugesandten Code bestätigt wurde. Codes und Hinweise kommen nicht mehr hierher.",
      "Waren Sie es nicht: Melden Sie sich sofort bei {url} an, beenden Sie alle anderen Sitzungen und ändern Sie die Adresse zurück. Gelingt die Anmeldung nicht, wenden Sie sich an den Betreiber von {host}.",
    ],
    email_changed_to: [
      "Die Adresse Ihres Kontos wurde geändert",
      "Ihr Konto verwendet jetzt diese Adresse. Codes und Hinweise kommen von nun an hierher.",
      "Haben Sie kein Konto bei {host}, hat jemand mit Zugang zu diesem Postfach einen Code daraus eingegeben: Sichern Sie Ihr Postfach.",
    ],
    provider_email_from: [
      "Die Adresse Ihres Kontos wurde geändert",
      "{provider} meldet eine andere Adresse für Sie. Ihr Konto bei {host} verwendet jetzt diese.",
      "Codes und Hinweise zum Konto kommen nicht mehr hierher.",
      "Haben Sie Ihre Adresse bei {provider} nicht geändert, prüfen Sie Ihr Konto dort, melden Sie sich dann bei {host} an und beenden Sie alle Sitzungen.",
    ],
    provider_email_to: [
      "Die Adresse Ihres Kontos wurde geändert",
      "{provider} meldet diese Adresse für Sie. Ihr Konto bei {host} verwendet sie jetzt.",
      "Codes und Hinweise zum Konto kommen von nun an hierher.",
      "Haben Sie kein Konto bei {host}, prüfen Sie, wer diese Adresse bei {provider} verwendet.",
    ],
    identity_linked: [
      "Ihr Konto hat eine weitere Anmeldung",
      "{provider} wurde verbunden. Eine Identität von {provider} kann sich jetzt bei Ihrem Konto anmelden.",
    ],
    identity_removed: [
      "Eine Anmeldung Ihres Kontos wurde entfernt",
      "{provider} wurde getrennt und kann sich nicht mehr bei Ihrem Konto anmelden.",
    ],
    passkey_added: [
      "Ihr Konto hat einen neuen Passkey",
      "Ein Passkey wurde hinzugefügt. Er kann sich jetzt bei Ihrem Konto anmelden.",
    ],
    passkey_removed: [
      "Ein Passkey Ihres Kontos wurde entfernt",
      "Ein Passkey wurde entfernt. Er kann sich nicht mehr bei Ihrem Konto anmelden.",
    ],
    api_key_connected: [
      "Ihr Konto hat einen neuen API-Schlüssel",
      "Ein API-Schlüssel von {provider} wurde verbunden. Ein früherer ist damit ersetzt.",
    ],
    api_key_removed: [
      "Ein API-Schlüssel Ihres Kontos wurde entfernt",
      "Der API-Schlüssel von {provider} wurde entfernt.",
    ],
    new_device: [
      "Ihr Konto wurde auf einem neuen Gerät verwendet",
      "Ein Gerät hat sich zum ersten Mal bei Ihrem Konto angemeldet. War es Ihres, ist nichts zu tun.",
    ],
    password_set: [
      "Ihr Konto hat jetzt ein Passwort",
      "Mit einem Code, der an diese Adresse ging, wurde ein Passwort gesetzt. Alle anderen Sitzungen sind beendet.",
    ],
    password_changed: [
      "Ihr Passwort wurde geändert",
      "Das Passwort wurde mit einem Code geändert, der an diese Adresse ging. Alle anderen Sitzungen sind beendet.",
    ],
    password_replaced: [
      "Ihr Passwort wurde geändert",
      "Das Passwort wurde von jemandem geändert, der das alte eingegeben hat. Alle anderen Sitzungen sind beendet.",
    ],
    account_deleted: [
      "Ihr Konto wurde gelöscht",
      "Ihr Konto wurde gelöscht, mit seinen Anmeldungen, Sitzungen und API-Schlüsseln.",
      "Waren Sie es nicht, sichern Sie Ihr Postfach und wenden Sie sich an den Betreiber von {host}.",
    ],
  },
  words: {
    code: "Ihr Code: {code}",
    once: "Er gilt einmal und {minutes} Minuten lang. Geben Sie ihn dort ein, wo Sie ihn angefordert haben, und geben Sie ihn nicht weiter.",
    onceLong:
      "Heute wurden viele Codes angefordert, deshalb ist dieser lang. Er gilt einmal und {hours} Stunden lang, und vorher wird kein anderer verschickt. Kopieren Sie ihn dorthin, wo Sie ihn angefordert haben, und geben Sie ihn nicht weiter.",
    account: "Konto: {host}\nZeit: {time}",
    from: ", aus dem Netz {network}",
    device: "Gerät: {device}",
    ways: "So kann man sich jetzt anmelden:",
    password: "Passwort",
    passkey: "Passkey",
    since: "{name}, seit {time}",
    apiKeys: "API-Schlüssel:",
    providersStay:
      "Ein neues Passwort entfernt keine Anbieter: Jeder der Liste kann sich weiter bei Ihrem Konto anmelden.",
    disconnect: "Trennen Sie unter {url} die, die Sie nicht kennen.",
    secureMailbox:
      "Waren Sie es nicht: Sichern Sie zuerst Ihr Postfach, dann setzen Sie dort ein neues Passwort.",
    remedy:
      "Waren Sie es nicht: Setzen Sie unter {url} ein neues Passwort („Passwort vergessen?“), das alle Sitzungen beendet. Dann trennen Sie, was Sie nicht kennen.",
    intruder:
      "Waren Sie es nicht, ist jemand anderes bei Ihrem Konto angemeldet: Setzen Sie unter {url} ein neues Passwort („Passwort vergessen?“), das alle Sitzungen beendet.",
  },
};
