import type { MailTexts } from "./mail-kinds.ts";

/** Mails in Spanish. */
export const SPANISH: MailTexts = {
  mails: {
    signup_code: [
      "Termina de crear tu cuenta",
      "Alguien, esperamos que tú, está creando una cuenta en {host} con esta dirección.",
      "Si no fuiste tú, ignora este mensaje: sin el código no se crea ninguna cuenta.",
    ],
    account_exists: [
      "Ya tienes una cuenta",
      "Alguien, esperamos que tú, quiso crear una cuenta en {host} con esta dirección. Ya tiene una.",
      "Inicia sesión como antes. Si olvidaste tu contraseña, o nunca tuviste una, restablécela allí.",
      "Si no fuiste tú, ignora este mensaje: nada ha cambiado.",
    ],
    reset_code: [
      "Establece una contraseña nueva",
      "Alguien, esperamos que tú, quiere establecer una contraseña nueva para tu cuenta en {host}.",
      "Una contraseña nueva cierra todas las sesiones. No quita los proveedores conectados: revísalos cuando hayas entrado.",
      "Si no fuiste tú, ignora este mensaje: tu contraseña sigue igual.",
    ],
    login_code: [
      "Tu código para iniciar sesión",
      "Alguien, esperamos que tú, quiere iniciar sesión en tu cuenta de {host}.",
      "Si no fuiste tú, ignora este mensaje: sin el código, este inicio de sesión termina aquí.",
    ],
    password_code: [
      "Tu código para cambiar la contraseña",
      "Alguien con la sesión iniciada en tu cuenta de {host}, esperamos que tú, quiere cambiar la contraseña.",
    ],
    delete_code: [
      "Tu código para eliminar la cuenta",
      "Alguien con la sesión iniciada en tu cuenta de {host}, esperamos que tú, quiere eliminarla. No se puede deshacer.",
    ],
    reauthentication_code: [
      "Tu código para confirmar que eres tú",
      "Alguien con la sesión iniciada en tu cuenta de {host}, esperamos que tú, quiere cambiar cómo está protegida y lo confirma antes.",
    ],
    email_code: [
      "Confirma tu dirección nueva",
      "Alguien, esperamos que tú, quiere usar esta dirección para una cuenta en {host}.",
      "Si no fuiste tú, ignora este mensaje: sin el código nada cambia.",
    ],
    email_taken: [
      "Han pedido tu dirección",
      "Alguien, esperamos que tú, quiso usar esta dirección para otra cuenta en {host}. Pertenece a tu cuenta.",
      "Si no fuiste tú, ignora este mensaje: nada ha cambiado.",
    ],
    email_requested: [
      "Tu cuenta va a tener otra dirección",
      "Alguien con la sesión iniciada en tu cuenta, esperamos que tú, quiere usar otra dirección para ella. Allí se envió un código; mientras no se introduzca, nada cambia.",
    ],
    email_changed_from: [
      "La dirección de tu cuenta ha cambiado",
      "Tu cuenta usa ahora otra dirección, comprobada con un código enviado. Los códigos y avisos de la cuenta ya no llegan aquí.",
      "Si no fuiste tú: inicia sesión enseguida en {url}, cierra todas las demás sesiones y recupera la dirección. Si no puedes entrar, acude al operador de {host}.",
    ],
    email_changed_to: [
      "La dirección de tu cuenta ha cambiado",
      "Tu cuenta usa ahora esta dirección. Los códigos y avisos de la cuenta llegan aquí desde ahora.",
      "Si no tienes cuenta en {host}, alguien con acceso a este buzón introdujo un código de él: protege tu buzón.",
    ],
    provider_email_from: [
      "La dirección de tu cuenta ha cambiado",
      "{provider} indica otra dirección para ti. Tu cuenta en {host} usa ahora esa.",
      "Los códigos y avisos de la cuenta ya no llegan aquí.",
      "Si no cambiaste tu dirección en {provider}, revisa tu cuenta allí, luego inicia sesión en {host} y cierra todas las sesiones.",
    ],
    provider_email_to: [
      "La dirección de tu cuenta ha cambiado",
      "{provider} indica esta dirección para ti. Tu cuenta en {host} la usa ahora.",
      "Los códigos y avisos de la cuenta llegan aquí desde ahora.",
      "Si no tienes cuenta en {host}, comprueba quién usa esta dirección en {provider}.",
    ],
    identity_linked: [
      "Se añadió una forma de entrar en tu cuenta",
      "Se conectó {provider}. Una identidad de {provider} puede entrar ahora en tu cuenta.",
    ],
    identity_removed: [
      "Se quitó una forma de entrar en tu cuenta",
      "Se desconectó {provider}. Ya no puede entrar en tu cuenta.",
    ],
    passkey_added: [
      "Se añadió una llave de acceso a tu cuenta",
      "Se añadió una llave de acceso. Ahora puede entrar en tu cuenta.",
    ],
    passkey_removed: [
      "Se quitó una llave de acceso de tu cuenta",
      "Se quitó una llave de acceso. Ya no puede entrar en tu cuenta.",
    ],
    api_key_connected: [
      "Se conectó una clave de API a tu cuenta",
      "Se conectó una clave de API de {provider}. Sustituye a la que hubiera antes.",
    ],
    api_key_removed: [
      "Se quitó una clave de API de tu cuenta",
      "Se quitó la clave de API de {provider}.",
    ],
    new_device: [
      "Tu cuenta se usó en un dispositivo nuevo",
      "Un dispositivo inició sesión en tu cuenta por primera vez. Si era tuyo, no tienes que hacer nada.",
    ],
    password_set: [
      "Tu cuenta ya tiene contraseña",
      "Se estableció una contraseña con un código enviado a esta dirección. Todas las demás sesiones se han cerrado.",
    ],
    password_changed: [
      "Tu contraseña ha cambiado",
      "La contraseña se cambió con un código enviado a esta dirección. Todas las demás sesiones se han cerrado.",
    ],
    password_replaced: [
      "Tu contraseña ha cambiado",
      "Cambió la contraseña alguien que introdujo la anterior. Todas las demás sesiones se han cerrado.",
    ],
    account_deleted: [
      "Tu cuenta se ha eliminado",
      "Tu cuenta se ha eliminado, con sus formas de entrar, sus sesiones y sus claves de API.",
      "Si no fuiste tú, protege tu buzón y acude al operador de {host}.",
    ],
  },
  words: {
    code: "Tu código: {code}",
    once: "Sirve una sola vez, durante {minutes} minutos. Introdúcelo donde lo pediste y no lo compartas.",
    onceLong:
      "Hoy se han pedido muchos códigos; por eso este es largo. Sirve una sola vez, durante {hours} horas, y antes no se envía otro. Cópialo donde lo pediste y no lo compartas.",
    account: "Cuenta: {host}\nHora: {time}",
    from: ", desde la red {network}",
    device: "Dispositivo: {device}",
    ways: "Formas de entrar ahora:",
    password: "contraseña",
    passkey: "llave de acceso",
    since: "{name}, desde {time}",
    apiKeys: "Claves de API:",
    providersStay:
      "Una contraseña nueva no quita proveedores: cada uno de la lista puede seguir entrando en tu cuenta.",
    disconnect: "Desconecta en {url} los que no conozcas.",
    secureMailbox:
      "Si no fuiste tú: protege primero tu buzón y después establece allí una contraseña nueva.",
    remedy:
      "Si no fuiste tú: establece una contraseña nueva en {url} («¿Olvidaste la contraseña?»), que cierra todas las sesiones. Después desconecta lo que no conozcas.",
    intruder:
      "Si no fuiste tú, otra persona tiene la sesión iniciada en tu cuenta: establece una contraseña nueva en {url} («¿Olvidaste la contraseña?»), que cierra todas las sesiones.",
  },
};
