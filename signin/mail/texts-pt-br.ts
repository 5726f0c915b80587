import type { MailTexts } from "./mail-kinds.ts";

/** Mails in Brazilian Portuguese. */
export const PORTUGUESE: MailTexts = {
  mails: {
    signup_code: [
      "Termine de criar sua conta",
      "Alguém, esperamos que você, está criando uma conta em {host} com este endereço.",
      "Se não foi você, ignore esta mensagem: sem o código nenhuma conta é criada.",
    ],
    account_exists: [
      "Você já tem uma conta",
      "Alguém, esperamos que você, tentou criar uma conta em {host} com este endereço. Ele já tem uma.",
      "Entre como antes. Se você esqueceu a senha, ou nunca teve uma, redefina-a lá.",
      "Se não foi você, ignore esta mensagem: nada mudou.",
    ],
    reset_code: [
      "Defina uma nova senha",
      "Alguém, esperamos que você, quer definir uma nova senha para sua conta em {host}.",
      "Uma nova senha encerra todas as sessões. Ela não remove provedores conectados: confira-os depois de entrar.",
      "Se não foi você, ignore esta mensagem: sua senha continua a mesma.",
    ],
    login_code: [
      "Seu código para entrar",
      "Alguém, esperamos que você, quer entrar na sua conta em {host}.",
      "Se não foi você, ignore esta mensagem: sem o código, esta entrada termina aqui.",
    ],
    password_code: [
      "Seu código para mudar a senha",
      "Alguém que entrou na sua conta em {host}, esperamos que você, quer mudar a senha.",
    ],
    delete_code: [
      "Seu código para excluir a conta",
      "Alguém que entrou na sua conta em {host}, esperamos que você, quer excluí-la. Isso não pode ser desfeito.",
    ],
    reauthentication_code: [
      "Seu código para confirmar que é você",
      "Alguém que entrou na sua conta em {host}, esperamos que você, quer mudar a proteção dela e confirma isso antes.",
    ],
    email_code: [
      "Confirme seu novo endereço",
      "Alguém, esperamos que você, quer usar este endereço para uma conta em {host}.",
      "Se não foi você, ignore esta mensagem: sem o código nada muda.",
    ],
    email_taken: [
      "Seu endereço foi pedido",
      "Alguém, esperamos que você, tentou usar este endereço para outra conta em {host}. Ele pertence à sua conta.",
      "Se não foi você, ignore esta mensagem: nada mudou.",
    ],
    email_requested: [
      "Sua conta vai ter outro endereço",
      "Alguém que entrou na sua conta, esperamos que você, quer usar outro endereço para ela. Um código foi enviado para lá; até ele ser digitado, nada muda.",
    ],
    email_changed_from: [
      "O endereço da sua conta mudou",
      "Sua conta usa agora outro endereço, confirmado com um código enviado. Códigos e avisos da conta não chegam mais aqui.",
      "Se não foi você: entre já em {url}, encerre todas as outras sessões e mude o endereço de volta. Se não conseguir entrar, procure o operador de {host}.",
    ],
    email_changed_to: [
      "O endereço da sua conta mudou",
      "Sua conta usa agora este endereço. Códigos e avisos da conta chegam aqui de agora em diante.",
      "Se você não tem conta em {host}, alguém com acesso a esta caixa digitou um código dela: proteja sua caixa de correio.",
    ],
    provider_email_from: [
      "O endereço da sua conta mudou",
      "{provider} informa outro endereço para você. Sua conta em {host} usa agora esse.",
      "Códigos e avisos da conta não chegam mais aqui.",
      "Se você não mudou seu endereço em {provider}, confira sua conta lá, depois entre em {host} e encerre todas as sessões.",
    ],
    provider_email_to: [
      "O endereço da sua conta mudou",
      "{provider} informa este endereço para você. Sua conta em {host} o usa agora.",
      "Códigos e avisos da conta chegam aqui de agora em diante.",
      "Se você não tem conta em {host}, veja quem usa este endereço em {provider}.",
    ],
    identity_linked: [
      "Uma forma de entrar foi adicionada à sua conta",
      "{provider} foi conectado. Uma identidade de {provider} pode agora entrar na sua conta.",
    ],
    identity_removed: [
      "Uma forma de entrar foi removida da sua conta",
      "{provider} foi desconectado. Não pode mais entrar na sua conta.",
    ],
    passkey_added: [
      "Uma chave de acesso foi adicionada à sua conta",
      "Uma chave de acesso foi adicionada. Ela pode agora entrar na sua conta.",
    ],
    passkey_removed: [
      "Uma chave de acesso foi removida da sua conta",
      "Uma chave de acesso foi removida. Ela não pode mais entrar na sua conta.",
    ],
    api_key_connected: [
      "Uma chave de API foi conectada à sua conta",
      "Uma chave de API de {provider} foi conectada. Ela substitui a que havia antes.",
    ],
    api_key_removed: [
      "Uma chave de API foi removida da sua conta",
      "A chave de API de {provider} foi removida.",
    ],
    new_device: [
      "Sua conta foi usada em um novo dispositivo",
      "Um dispositivo entrou na sua conta pela primeira vez. Se era seu, não há nada a fazer.",
    ],
    password_set: [
      "Sua conta agora tem uma senha",
      "Uma senha foi definida com um código enviado a este endereço. Todas as outras sessões foram encerradas.",
    ],
    password_changed: [
      "Sua senha foi mudada",
      "A senha foi mudada com um código enviado a este endereço. Todas as outras sessões foram encerradas.",
    ],
    password_replaced: [
      "Sua senha foi mudada",
      "A senha foi mudada por alguém que digitou a antiga. Todas as outras sessões foram encerradas.",
    ],
    account_deleted: [
      "Sua conta foi excluída",
      "Sua conta foi excluída, com suas formas de entrar, suas sessões e suas chaves de API.",
      "Se não foi você, proteja sua caixa de correio e procure o operador de {host}.",
    ],
  },
  words: {
    code: "Seu código: {code}",
    once: "Ele vale uma vez, por {minutes} minutos. Digite-o onde você o pediu e não o compartilhe.",
    onceLong:
      "Muitos códigos foram pedidos hoje; por isso este é longo. Ele vale uma vez, por {hours} horas, e nenhum outro é enviado antes. Copie-o para onde você o pediu e não o compartilhe.",
    account: "Conta: {host}\nHora: {time}",
    from: ", da rede {network}",
    device: "Dispositivo: {device}",
    ways: "Formas de entrar agora:",
    password: "senha",
    passkey: "chave de acesso",
    since: "{name}, desde {time}",
    apiKeys: "Chaves de API:",
    providersStay:
      "Uma nova senha não remove provedores: cada um da lista ainda entra na sua conta.",
    disconnect: "Desconecte em {url} os que você não conhece.",
    secureMailbox:
      "Se não foi você: proteja primeiro sua caixa de correio e depois defina lá uma nova senha.",
    remedy:
      "Se não foi você: defina uma nova senha em {url} (“Esqueceu a senha?”), o que encerra todas as sessões. Depois desconecte o que você não conhece.",
    intruder:
      "Se não foi você, outra pessoa entrou na sua conta: defina uma nova senha em {url} (“Esqueceu a senha?”), o que encerra todas as sessões.",
  },
};
