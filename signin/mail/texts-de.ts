import type { MailTexts } from "./mail-kinds.ts";

/** Mails in German. */
export const GERMAN: MailTexts = {
  mails: {
    signup_code: [
      "Konto fertig einrichten",
      "Jemand, hoffentlich du, richtet mit dieser Adresse ein Konto bei {host} ein.",
      "Warst du es nicht, ignoriere diese Nachricht: Ohne den Code entsteht kein Konto.",
    ],
    account_exists: [
      "Du hast schon ein Konto",
      "Jemand, hoffentlich du, wollte mit dieser Adresse ein Konto bei {host} einrichten. Sie hat schon eines.",
      "Melde dich so an wie bisher. Hast du dein Passwort vergessen oder nie eines gehabt, setze es dort neu.",
      "Warst du es nicht, ignoriere diese Nachricht: Es hat sich nichts geändert.",
    ],
    reset_code: [
      "Neues Passwort setzen",
      "Jemand, hoffentlich du, möchte ein neues Passwort für dein Konto bei {host} setzen.",
      "Ein neues Passwort beendet alle Sitzungen. Verbundene Anbieter bleiben: Prüfe sie, wenn du angemeldet bist.",
      "Warst du es nicht, ignoriere diese Nachricht: Dein Passwort bleibt, wie es ist.",
    ],
    login_code: [
      "Dein Code zum Anmelden",
      "Jemand, hoffentlich du, möchte sich bei deinem Konto bei {host} anmelden.",
      "Warst du es nicht, ignoriere diese Nachricht: Ohne den Code endet diese Anmeldung hier.",
    ],
    password_code: [
      "Dein Code zum Ändern des Passworts",
      "Jemand, der bei deinem Konto bei {host} angemeldet ist, hoffentlich du, möchte das Passwort ändern.",
    ],
    delete_code: [
      "Dein Code zum Löschen des Kontos",
      "Jemand, der bei deinem Konto bei {host} angemeldet ist, hoffentlich du, möchte es löschen. Das lässt sich nicht rückgängig machen.",
    ],
    email_code: [
      "Neue Adresse bestätigen",
      "Jemand, hoffentlich du, möchte diese Adresse für ein Konto bei {host} verwenden.",
      "Warst du es nicht, ignoriere diese Nachricht: Ohne den Code ändert sich nichts.",
    ],
    email_taken: [
      "Nach deiner Adresse wurde gefragt",
      "Jemand, hoffentlich du, wollte diese Adresse für ein anderes Konto bei {host} verwenden. Sie gehört zu deinem Konto.",
      "Warst du es nicht, ignoriere diese Nachricht: Es hat sich nichts geändert.",
    ],
    email_requested: [
      "Dein Konto soll eine andere Adresse bekommen",
      "Jemand, der bei deinem Konto angemeldet ist, hoffentlich du, möchte eine andere Adresse dafür verwenden. Dorthin ging ein Code; bis er eingegeben ist, ändert sich nichts.",
    ],
    email_changed_from: [
      "Die Adresse deines Kontos wurde geändert",
      "Dein Konto verwendet jetzt eine andere Adresse, die mit einem zugesandten Code bestätigt wurde. Codes und Hinweise kommen nicht mehr hierher.",
      "Warst du es nicht: Melde dich sofort bei {url} an, beende alle anderen Sitzungen und ändere die Adresse zurück. Gelingt die Anmeldung nicht, wende dich an den Betreiber von {host}.",
    ],
    email_changed_to: [
      "Die Adresse deines Kontos wurde geändert",
      "Dein Konto verwendet jetzt diese Adresse. Codes und Hinweise kommen von nun an hierher.",
      "Hast du kein Konto bei {host}, hat jemand mit Zugang zu diesem Postfach einen Code daraus eingegeben: Sichere dein Postfach.",
    ],
    provider_email_from: [
      "Die Adresse deines Kontos wurde geändert",
      "{provider} meldet eine andere Adresse für dich. Dein Konto bei {host} verwendet jetzt diese.",
      "Codes und Hinweise zum Konto kommen nicht mehr hierher.",
      "Hast du deine Adresse bei {provider} nicht geändert, prüfe dein Konto dort, melde dich dann bei {host} an und beende alle Sitzungen.",
    ],
    provider_email_to: [
      "Die Adresse deines Kontos wurde geändert",
      "{provider} meldet diese Adresse für dich. Dein Konto bei {host} verwendet sie jetzt.",
      "Codes und Hinweise zum Konto kommen von nun an hierher.",
      "Hast du kein Konto bei {host}, prüfe, wer diese Adresse bei {provider} verwendet.",
    ],
    identity_linked: [
      "Dein Konto hat eine weitere Anmeldung",
      "{provider} wurde verbunden. Eine Identität von {provider} kann sich jetzt bei deinem Konto anmelden.",
    ],
    identity_removed: [
      "Eine Anmeldung deines Kontos wurde entfernt",
      "{provider} wurde getrennt und kann sich nicht mehr bei deinem Konto anmelden.",
    ],
    passkey_added: [
      "Dein Konto hat einen neuen Passkey",
      "Ein Passkey wurde hinzugefügt. Er kann sich jetzt bei deinem Konto anmelden.",
    ],
    passkey_removed: [
      "Ein Passkey deines Kontos wurde entfernt",
      "Ein Passkey wurde entfernt. Er kann sich nicht mehr bei deinem Konto anmelden.",
    ],
    api_key_connected: [
      "Dein Konto hat einen neuen API-Schlüssel",
      "Ein API-Schlüssel von {provider} wurde verbunden. Ein früherer ist damit ersetzt.",
    ],
    api_key_removed: [
      "Ein API-Schlüssel deines Kontos wurde entfernt",
      "Der API-Schlüssel von {provider} wurde entfernt.",
    ],
    new_device: [
      "Dein Konto wurde auf einem neuen Gerät verwendet",
      "Ein Gerät hat sich zum ersten Mal bei deinem Konto angemeldet. War es deines, ist nichts zu tun.",
    ],
    password_set: [
      "Dein Konto hat jetzt ein Passwort",
      "Mit einem Code, der an diese Adresse ging, wurde ein Passwort gesetzt. Alle anderen Sitzungen sind beendet.",
    ],
    password_changed: [
      "Dein Passwort wurde geändert",
      "Das Passwort wurde mit einem Code geändert, der an diese Adresse ging. Alle anderen Sitzungen sind beendet.",
    ],
    password_replaced: [
      "Dein Passwort wurde geändert",
      "Das Passwort wurde von jemandem geändert, der das alte eingegeben hat. Alle anderen Sitzungen sind beendet.",
    ],
    account_deleted: [
      "Dein Konto wurde gelöscht",
      "Dein Konto wurde gelöscht, mit seinen Anmeldungen, Sitzungen und API-Schlüsseln.",
      "Warst du es nicht, sichere dein Postfach und wende dich an den Betreiber von {host}.",
    ],
  },
  words: {
    code: "Dein Code: {code}",
    once: "Er gilt einmal und {minutes} Minuten lang. Gib ihn dort ein, wo du ihn angefordert hast, und gib ihn nicht weiter.",
    account: "Konto: {host}\nZeit: {time}",
    from: ", aus dem Netz {network}",
    device: "Gerät: {device}",
    ways: "So kann man sich jetzt anmelden:",
    password: "Passwort",
    passkey: "Passkey „{label}“",
    since: "{name}, seit {time}",
    apiKeys: "API-Schlüssel:",
    providersStay:
      "Ein neues Passwort entfernt keine Anbieter: Jeder der Liste kann sich weiter bei deinem Konto anmelden.",
    disconnect: "Trenne unter {url} die, die du nicht kennst.",
    secureMailbox:
      "Warst du es nicht: Sichere zuerst dein Postfach, dann setze dort ein neues Passwort.",
    remedy:
      "Warst du es nicht: Setze unter {url} ein neues Passwort („Passwort vergessen?“), das alle Sitzungen beendet. Dann trenne, was du nicht kennst.",
    intruder:
      "Warst du es nicht, ist jemand anderes bei deinem Konto angemeldet: Setze unter {url} ein neues Passwort („Passwort vergessen?“), das alle Sitzungen beendet.",
  },
};
